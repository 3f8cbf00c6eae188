"""Figures of the page, as the SVG that it embeds."""

import base64
from xml.etree import ElementTree

from tasks.report.page.charts import MOST_BARS, BarGroup, amount_drawing, group_drawings, total_drawing
from tasks.report.page.figures import Drawing
from tasks.report.stats.interval import wilson_interval
from tasks.report.summary.numbers import Number


def svg(drawing: Drawing) -> ElementTree.Element:
    return ElementTree.fromstring(base64.b64decode(drawing.uri.partition(",")[2]))


def texts(drawing: Drawing) -> set[str]:
    return {"".join(node.itertext()) for node in svg(drawing).iter("{http://www.w3.org/2000/svg}text")}


def group(labels: list[str], models: list[str]) -> BarGroup:
    number = Number(40.0, 5.0, wilson_interval(4, 10).scaled(100))
    numbers = {(model, label): number for model in models for label in labels}
    return BarGroup("g", tuple(labels), tuple(models), numbers)


def test_names_are_shown_as_they_are_whatever_they_hold():
    names = ["_hidden", "$a_b$", "<script>x</script>", "nul\0 and \ud800", "数学"]
    bars, radar = group_drawings(group(names, ["_m", "n"]))
    shown = {"$a_b$", "<script>x</script>", "nul\\x00 and \\ud800", "数学"}
    assert shown <= texts(bars) and {"\u200b_hidden", "\u200b_m", "n"} <= texts(bars)
    assert "数学" in texts(radar) and not list(svg(bars).iter("{http://www.w3.org/2000/svg}script"))


def test_few_data_sets_have_no_profile_and_many_are_cut_with_a_word_about_it():
    assert len(group_drawings(group(["a", "b"], ["m"]))) == 1
    [bars] = group_drawings(group([f"d{n}" for n in range(MOST_BARS + 3)], ["m"]))
    assert bars.title == "g (3 further datasets are not drawn)" and f"d{MOST_BARS}" not in texts(bars)


def test_figures_follow_the_scheme_of_the_reader():
    drawing = total_drawing("Tokens", "tokens", {"m": {"in": 10, "out": 5}})
    assert drawing is not None
    text = base64.b64decode(drawing.uri.partition(",")[2]).decode()
    assert "prefers-color-scheme:dark" in text and "fill: currentColor" in text and "#010203" not in text


def test_nothing_is_drawn_of_what_was_not_measured():
    assert amount_drawing("Latency", "seconds", {"m": [], "n": [1.0]}) is None
    assert total_drawing("Cost", "dollars", {"m": {"dollars": 0.0}}) is None


def test_shares_are_told_in_words_too():
    drawing = amount_drawing("Latency", "seconds", {"m": [0.5, 1.0, 4.0]})
    assert drawing is not None and drawing.text.endswith("Medians: m 1.") and {"m", "seconds"} <= texts(drawing)
