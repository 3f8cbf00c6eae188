"""From an address to the station."""

from pathlib import Path

from blocks.station.address import is_database
from blocks.station.entry import Station
from blocks.station.folder import FolderStation


def open_station(address: str) -> Station:
    """The station at a folder or a database's URL; UserError if it can be neither. Connects to nothing."""
    if not is_database(address):
        return FolderStation(Path(address).expanduser())
    from blocks.station.database import DatabaseStation  # SQLAlchemy is for those who have a database

    return DatabaseStation(address)
