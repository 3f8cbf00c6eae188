"""`compass view`: the page of a run with all its samples, served to a browser on this machine."""

import argparse
import webbrowser
from collections.abc import Sequence

from flows.output.console import out, say
from flows.preparation.saved_run import run_to_report
from flows.tools.runs.run_choice import add_run_arguments, chosen_run
from tasks.report.page.content import read_content
from tasks.report.page.html import page_html
from tasks.report.page.page_server import BlockStore, PageServer
from tasks.report.page.sample_blocks import all_blocks
from tasks.spec.findings import Finding, UserError


def main(argv: Sequence[str]) -> int:
    """Serves until it is interrupted."""
    parser = argparse.ArgumentParser(
        prog="compass view",
        description="Serves the page of a run, whatever its size, on the loopback address of this machine. Only who "
        "has the whole address gets an answer. Control-C ends it.",
    )
    add_run_arguments(parser)
    parser.add_argument("--port", type=int, default=0, metavar="N", help="port (default: a free one)")
    parser.add_argument("--open", action="store_true", help="open it in the browser")
    arguments = parser.parse_args(argv)
    folder = chosen_run(arguments)
    content = read_content(**run_to_report(folder)._asdict())
    page = "".join(page_html(content, None)).encode("utf-8", "backslashreplace")
    store = BlockStore(all_blocks(content.samples, folder))
    try:
        server = PageServer(page, store, arguments.port)
    except OSError as error:
        raise UserError(Finding(f"--port {arguments.port}: {error.strerror}", remedy="leave it out")) from error
    say(f"{content.samples_total:,} samples of {folder.root}; Control-C ends this")
    out.print(server.url, markup=False)
    if arguments.open:
        webbrowser.open(server.url)
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say("ended")
    return 0
