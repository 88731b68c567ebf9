"""What a training run came to, as one page with curves."""

from __future__ import annotations

import html
import itertools
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from empedocles.errors import BadValue
from empedocles.learn.training import LOG, MEASURED, Plan, elo

REPORT = "report.html"
WIDTH, HEIGHT = 720, 220  # of a curve, in pixels
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 16, 40  # its margins
TICKS = 4  # steps of an axis, about
NORMAL = 1.96  # standard deviations either side of a 95 % interval

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 760px; margin: 2rem auto; padding: 0 1rem }}
body {{ color: #222; background: #fffdf8 }}
h1 {{ margin-bottom: 0 }} h2 {{ font-size: 1.1rem; margin: 2rem 0 0 }} p {{ margin: .25rem 0 }}
dl {{ display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 1rem 0 }} dt {{ color: #555; font-size: .85rem }}
dd {{ margin: 0; font-size: 1.4rem; font-variant-numeric: tabular-nums }}
svg {{ width: 100%; height: auto }} text {{ font-size: 13px; fill: #555; font-variant-numeric: tabular-nums }}
polyline {{ fill: none; stroke: #b3401f; stroke-width: 2; stroke-linejoin: round }} circle {{ fill: #b3401f }}
polygon {{ fill: #b3401f; opacity: .15 }} line {{ stroke: #e4dfd3 }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; margin-top: .5rem }}
th, td {{ text-align: right; padding: .1rem .8rem .1rem 0 }} th {{ color: #555; font-weight: normal }}
</style>
<h1>{title}</h1>
<p>{origin}</p>
<dl>{facts}</dl>
{curves}
<h2>All looks</h2>
{table}
<p>The same numbers are in <a href="{log}">{log}</a>, a JSON object a line.</p>
"""


class Curve(NamedTuple):
    title: str
    explained: str
    form: str  # of its numbers
    value: Callable[[dict[str, Any]], float]
    interval: Callable[[dict[str, Any]], tuple[float, float]] | None = None
    reference: float | None = None  # always in view


def score_interval(row: dict[str, Any]) -> tuple[float, float]:
    """Of 95 %, as if every game were won or lost: with draws it is narrower."""
    score = float(row["score"])
    margin = NORMAL * math.sqrt(score * (1 - score) / MEASURED)
    return max(0.0, score - margin), min(1.0, score + margin)


CURVES = (
    Curve(
        "Score",
        f"against the hand-made evaluation, one ply each, in {MEASURED:,} games; the band is the 95 % interval",
        ".0%",
        lambda row: float(row["score"]),
        score_interval,
        0.5,
    ),
    Curve(
        "Rating",
        "the same as a difference in Elo; the hand-made evaluation has 0",
        "+,.0f",
        lambda row: float(row["rating"]),
        lambda row: (elo(score_interval(row)[0]), elo(score_interval(row)[1])),
        0.0,
    ),
    Curve(
        "Loss",
        "the mean square error of what positions were worth, before they were learnt from",
        ".3f",
        lambda row: float(row["error"]),
        None,
        0.0,
    ),
    Curve("Speed", "decisions a second, learning included", ",.0f", lambda row: float(row["speed"]), None, 0.0),
)


def write_report(folder: Path, plan: Plan) -> Path:
    """A page about the run in a folder. Returns its file."""
    rows = _rows(folder / LOG)
    page = PAGE.format(
        title=html.escape(f"Training run {folder.resolve().name}"),
        origin=html.escape(_origin(plan)),
        facts="".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in _facts(rows[-1])),
        curves="\n".join(drawn(curve, rows) for curve in CURVES),
        table=_table(rows),
        log=LOG,
    )
    file = folder / REPORT
    file.write_text(page, encoding="utf-8")
    return file


def _rows(log: Path) -> list[dict[str, Any]]:
    """The lines of a log, each with the speed since the one before."""
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    if not rows:
        raise BadValue(f"{log} has no line: the run has not been looked at yet")
    for before, row in itertools.pairwise([{"plies": 0, "seconds": 0.0}, *rows]):
        row["speed"] = (row["plies"] - before["plies"]) / max(0.1, row["seconds"] - before["seconds"])
    return rows


def _origin(plan: Plan) -> str:
    game, options = plan.start.game, plan.start.game.named(plan.start.options)
    what = " ".join([game.title, *(f"{name}={value}" for name, value in options.items())])
    by = f"taught by {plan.teacher}" if plan.teacher else "learnt by self-play"
    return f"{what}, {by} in rounds of {plan.round:,} games, seed {plan.seed}"


def _facts(last: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        ("minutes", f"{last['seconds'] / 60:.1f}"),
        ("games", f"{last['games']:,}"),
        ("decisions", f"{last['plies']:,}"),
        ("a second", f"{last['plies'] / max(0.1, last['seconds']):,.0f}"),
        ("loss", f"{last['error']:.4f}"),
        ("score", f"{last['score']:.1%}"),
        ("Elo", f"{last['rating']:+.0f}"),
    ]


def _table(rows: Sequence[dict[str, Any]]) -> str:
    heads = "".join(f"<th>{name}" for name, _value in _facts(rows[0]))
    lines = "\n".join("<tr>" + "".join(f"<td>{value}" for _name, value in _facts(row)) for row in rows)
    return f"<table><tr>{heads}\n{lines}</table>"


# ── Curves ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def drawn(curve: Curve, rows: Sequence[dict[str, Any]]) -> str:
    """A curve over the time of training, with its title."""
    minutes, values = [row["seconds"] / 60 for row in rows], [curve.value(row) for row in rows]
    bands = [curve.interval(row) for row in rows] if curve.interval else [(value, value) for value in values]
    extremes = [*itertools.chain(*bands), *([] if curve.reference is None else [curve.reference])]
    heights, end = ticks(min(extremes), max(extremes)), max(minutes)
    times = [at for at in ticks(0.0, end) if at <= end]
    x, y = _scale(0.0, end, LEFT, WIDTH - RIGHT), _scale(heights[0], heights[-1], HEIGHT - BOTTOM, TOP)

    def form(value: float) -> str:
        return f"{value:{curve.form}}".replace("-", "−")

    parts = [
        *(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(at)}" y2="{y(at)}"/>' for at in heights),
        *(f'<text x="{LEFT - 8}" y="{y(at)}" dy="4" text-anchor="end">{form(at)}</text>' for at in heights),
        *(f'<text x="{x(at)}" y="{HEIGHT - 22}" text-anchor="middle">{at:g}</text>' for at in times),
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 6}" text-anchor="end">minutes of training</text>',
    ]
    if curve.interval:
        edge = [*zip(minutes, (low for low, _ in bands), strict=True)]
        edge += [*zip(minutes, (high for _, high in bands), strict=True)][::-1]
        parts.append(f'<polygon points="{_points(edge, x, y)}"/>')
    found = [*zip(minutes, values, strict=True)]
    parts.append(f'<polyline points="{_points(found, x, y)}"/>')
    parts.append(f'<circle cx="{x(minutes[-1])}" cy="{y(values[-1])}" r="4"/>')
    said = f"{curve.title}: {form(values[-1])} after {minutes[-1]:.1f} minutes"
    picture = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{said}">{"".join(parts)}</svg>'
    return f"<h2>{curve.title}</h2>\n<p>{curve.explained}</p>\n{picture}"


def ticks(low: float, high: float) -> list[float]:
    """Round numbers from one not above the lowest value to one not below the highest."""
    span = (high - low) or 1.0
    rough = span / TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * k for k in (1, 2, 2.5, 5, 10) if power * k >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil((low + span) / step - 1e-9)
    return [round(k * step, 10) for k in range(first, last + 1)]


def _scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    span = (high - low) or 1.0
    return lambda value: round(start + (value - low) / span * (end - start), 1)


def _points(points: Sequence[tuple[float, float]], x: Callable[[float], float], y: Callable[[float], float]) -> str:
    return " ".join(f"{x(across)},{y(up)}" for across, up in points)
