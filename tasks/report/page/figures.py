"""How figures look: SVG that follows the reader's light or dark scheme, and tells models apart without colour too."""

import base64
import io
import logging
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tasks.report.optional_libraries import report_extra
from tasks.spec.storage.printable import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#00855F", "#B0538C", "#A06F00", "#5D6BD0", "#C0392B", "#737373")
"""At least 3:1 against the light and the dark background."""
HATCHES = ("", "////", "....", "xxxx", "----", "\\\\\\\\", "oo", "++")
LINES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")

TEXT, _RULE = "#010203", "#040506"
"""Stand for the reader's colours of texts and rules until the SVG is written."""
_STYLE = (
    "<style>svg{color:#1f2328;--rule:#c4cad1}"
    "@media (prefers-color-scheme:dark){svg{color:#e6edf3;--rule:#444c56}}</style>"
)
_RC: dict[Any, Any] = {
    "svg.fonttype": "none",
    "text.parse_math": False,
    "axes.edgecolor": _RULE,
    "axes.labelcolor": TEXT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": _RULE,
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
    "text.color": TEXT,
    "xtick.color": TEXT,
    "ytick.color": TEXT,
    "xtick.labelsize": 10,
    "ytick.labelsize": 10,
}


@dataclass(frozen=True)
class Drawing:
    """A drawn figure."""

    title: str
    text: str
    """What it shows, for those who do not see it."""
    uri: str
    """The SVG as a `data:` address."""
    width: int
    height: int


def draw(title: str, text: str, size: tuple[float, float], paint: "Callable[[Axes], None]", **axes: Any) -> Drawing:
    """Draws one pair of axes of a size in inches; `paint` fills them, `axes` are options for making them."""
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    with report_extra():
        import matplotlib as mpl
        from matplotlib.figure import Figure
    with mpl.rc_context({**_RC, "svg.hashsalt": title}):
        figure = Figure(figsize=size, layout="constrained")
        paint(figure.add_subplot(**axes))
        svg = _svg(figure)
    encoded = base64.b64encode(svg.encode()).decode()
    return Drawing(title, text, f"data:image/svg+xml;base64,{encoded}", round(size[0] * 96), round(size[1] * 96))


def colour(index: int) -> str:
    """The colour of the model at that place."""
    return COLOURS[index % len(COLOURS)]


def bar_style(index: int) -> dict[str, Any]:
    """Colour and hatch of a model's bars."""
    return {"color": colour(index), "hatch": HATCHES[index % len(HATCHES)], "edgecolor": "#ffffff", "linewidth": 0}


def line_style(index: int) -> dict[str, Any]:
    """Colour and dashes of a model's line."""
    return {"color": colour(index), "linestyle": LINES[index % len(LINES)], "linewidth": 2}


def shortened(name: str, longest: int = 32) -> str:
    """A name that fits beside an axis, and that an SVG can hold."""
    line = one_line(name)
    line = line if len(line) <= longest else f"{line[: longest - 1]}…"
    return f"\N{ZERO WIDTH SPACE}{line}" if line.startswith("_") else line  # else matplotlib leaves it out


def _svg(figure: "Figure") -> str:
    buffer = io.StringIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # the reader's fonts have what ours lack
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :]
    start = svg.index(">") + 1
    svg = svg[:start] + _STYLE + svg[start:]
    return svg.replace(TEXT, "currentColor").replace(_RULE, "var(--rule)")
