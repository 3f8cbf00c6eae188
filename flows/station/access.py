"""The station that a run uses: its address, and what stands in the way of it."""

import os
from dataclasses import replace

from blocks.station.address import address_findings, block_name
from blocks.station.entry import Station
from blocks.station.opening import open_station
from tasks.plan.request import RunRequest
from tasks.plan.run_plan import RunPlan
from tasks.spec.findings import Finding, FindingKind, Place, UserError
from tasks.spec.secrets.redaction import resolve_references

_KEY = "station_path"
_OWN_VARIABLE = "COMPASS_STATION"
OWN_STATION = f"ENV:{_OWN_VARIABLE}"
"""The station of whoever names none."""


def with_station(plan: RunPlan) -> RunPlan:
    """The plan with its station, if the configuration or the request names one, and what stands in the way of it.

    A saved block is read here, once: later on Prefect may speak to another server.
    """
    address = plan.values.get(_KEY)
    findings = _request_findings(plan.request, address)
    station: Station | None = None
    if isinstance(address, str):
        try:
            station = station_at(address)
            if plan.request.mode != "infer" or plan.request.read_from_station:
                findings += [replace(finding, place=Place(key=_KEY)) for finding in station.findings()]
        except UserError as error:
            findings += error.findings
    return replace(plan, station=station, findings=(*plan.findings, *findings))


def station_at(address: str) -> Station:
    """The station at an address as people give it: it may refer to variables, or name a saved block."""
    if address == OWN_STATION and _OWN_VARIABLE not in os.environ:
        raise UserError(Finding("no station is named", remedy=f"give its folder or address, or set ${_OWN_VARIABLE}"))
    clear = str(resolve_references(address))
    name = block_name(clear)
    if name is not None:
        clear = _saved_address(name)
    findings = address_findings(clear)
    if findings:
        raise UserError(findings)
    return open_station(clear)


def _request_findings(request: RunRequest, address: object) -> list[Finding]:
    """What of the options does not go together."""
    given = {
        "--read-from-station": request.read_from_station,
        "--station-overwrite": request.station_overwrite,
        "--station-samples": request.station_samples,
    }
    if address is None:
        flags = " and ".join(flag for flag, is_given in given.items() if is_given)
        remedy = "add --station-path, or set station_path in the configuration"
        return [Finding(f"{flags} needs a station", remedy=remedy)] if flags else []
    if not isinstance(address, str):
        message = f"this is the path of a folder or the URL of a database, not {type(address).__name__}"
        return [Finding(message, Place(key=_KEY))]
    if request.mode == "infer" and not request.read_from_station:
        message = "with --mode infer nothing is scored, so nothing is saved to the station"
        return [Finding(message, kind=FindingKind.WARNING)]
    return []


def _saved_address(name: str) -> str:
    from flows.prefect_api.saved_blocks import reading_blocks

    with reading_blocks(name, "give the station's own address"):
        from blocks.station.block import load_address

        return load_address(name)
