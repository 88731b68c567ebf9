"""What a training run came to, as one page with curves."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from pathlib import Path

from empedocles.learn.training import LOG

REPORT = "report.html"
WIDTH, HEIGHT, MARGIN = 720, 240, 48  # of a curve, in pixels

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 760px; margin: 2rem auto; padding: 0 1rem }}
body {{ color: #222; background: #fffdf8 }}
svg {{ width: 100%; height: auto }} text {{ font-size: 13px; fill: #555 }}
polyline {{ fill: none; stroke: #b3401f; stroke-width: 2 }} line {{ stroke: #ccc }}
</style>
<h1>{title}</h1>
<p>{summary}</p>
<h2>Score against the hand-made evaluation, one ply each</h2>
{scores}
<h2>Mean square error of the worths, as they were played</h2>
{errors}
"""


def write_report(folder: Path) -> Path:
    """A page about the run in a folder. Returns its file."""
    rows = [json.loads(line) for line in (folder / LOG).read_text(encoding="utf-8").splitlines()]
    last, minutes = rows[-1], [row["seconds"] / 60 for row in rows]
    summary = (
        f"{last['games']:,} games and {last['plies']:,} decisions in {minutes[-1]:.1f} minutes; "
        f"{last['score']:.1%} against the hand-made evaluation at the end."
    )
    page = PAGE.format(
        title=html.escape(f"Training run {folder.name}"),
        summary=summary,
        scores=curve(minutes, [row["score"] for row in rows], 0.0, 1.0, ".0%"),
        errors=curve(minutes, [row["error"] for row in rows], 0.0, max(row["error"] for row in rows) or 1.0, ".3f"),
    )
    file = folder / REPORT
    file.write_text(page, encoding="utf-8")
    return file


def curve(minutes: Sequence[float], values: Sequence[float], low: float, high: float, form: str) -> str:
    """Values over time as SVG, with the limits of both axes."""
    right, bottom = WIDTH - MARGIN, HEIGHT - MARGIN
    end = max(minutes) or 1.0
    across, down = (right - MARGIN) / end, (bottom - MARGIN) / (high - low)
    points = " ".join(
        f"{MARGIN + minute * across:.1f},{bottom - (value - low) * down:.1f}"
        for minute, value in zip(minutes, values, strict=True)
    )
    form_of = f"{{:{form}}}".format
    axes = (
        f'<line x1="{MARGIN}" y1="{bottom}" x2="{right}" y2="{bottom}"/>'
        f'<line x1="{MARGIN}" y1="{MARGIN}" x2="{right}" y2="{MARGIN}"/>'
        f'<text x="4" y="{MARGIN + 4}">{form_of(high)}</text><text x="4" y="{bottom + 4}">{form_of(low)}</text>'
        f'<text x="{right}" y="{bottom + 20}" text-anchor="end">{end:.1f} minutes</text>'
    )
    title = f"<title>{form_of(values[-1])} after {end:.1f} minutes</title>"
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img">{title}{axes}<polyline points="{points}"/></svg>'
