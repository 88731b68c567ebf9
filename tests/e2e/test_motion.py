"""Motion, sound, and what would be placed: seen and heard at a table, and left out where they are not wanted."""

from __future__ import annotations

from typing import Any

from e2e.browsers import Opens
from e2e.people import moves, sit_at
from playwright.sync_api import Locator, Page, expect

FLOWING = "ignite-and-flow board=6/6/6/1WEF2/2W2W/1W4 to-move=0"
EMPTY = "ignite-and-flow board=6/6/6/6/6/6 to-move=0"
NOTHING_LAID = "fire-and-water players=2 elementals=- markers=-/- hands=-/- leaders=-/- tokens=-/- to-move=0"
LOWER_HALF_TO_TAKE = (
    "fire-and-water players=2 board=medallion elementals=b5,d4,g3 markers=F1a4W3b4,F2a7W3a8,F3a6W4a5/F2b6W2b7,F3c5W1c6 "
    "hands=F1W1,F1W2,F1W4/F1W1,F1W3,F1W4 leaders=g6/e2 tokens=-/- to-move=0"
)
# Every animation that starts, and every sound and vibration, is counted.
COUNTS = """
window.seen = []; window.heard = []; window.felt = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
  window.seen.push([timing.id, timing.duration]);
  return animate.call(this, frames, timing);
};
const samples = () => new Float32Array(8);
const node = () => new Proxy(function () {}, {
  get: (_, name) => (name === "getChannelData" ? samples : node()), apply: () => node(), set: () => true });
window.AudioContext = class {
  currentTime = 0; sampleRate = 8; destination = node();
  resume() {}
  createGain() { return node(); }
  createBiquadFilter() { return node(); }
  createBuffer() { return node(); }
  createOscillator() { window.heard.push("tone"); return node(); }
  createBufferSource() { window.heard.push("noise"); return node(); }
};
navigator.vibrate = (time) => window.felt.push(time);
"""


def open_table(page: Page, start: str) -> None:
    page.context.add_init_script(COUNTS)
    sit_at(page, start)


def seen(page: Page) -> list[list[Any]]:
    found: list[list[Any]] = page.evaluate("() => window.seen.splice(0)")
    return found


def click(page: Page, *targets: str) -> None:
    for target in targets:
        page.locator(f"[data-layer=targets] [data-target='{target}']").click()


def played(page: Page, number: int) -> None:
    page.wait_for_selector(f"#moves li:nth-child({number})")


def ghost(page: Page) -> Locator:
    return page.locator("[data-layer=ghost] use")


def test_elements_burn_flow_and_rise_and_nothing_waits_for_them(opens: Opens) -> None:
    page = opens(reduced_motion="no-preference")
    open_table(page, EMPTY)
    click(page, "F", "c3")
    played(page, 1)
    assert [name for name, _ in seen(page)] == ["burn-arrive"]
    click(page, "W", "d3")  # while the fire still burns
    played(page, 2)
    assert "flow-arrive" in [name for name, _ in seen(page)]
    click(page, "c3", "d3")
    played(page, 3)
    found = seen(page)
    assert {"rise-arrive", "burn-leave", "flow-leave"} <= {name for name, _ in found}
    assert all(150 <= time <= 350 for _, time in found)
    page.wait_for_function("() => !document.getAnimations().length")
    assert page.locator("[data-layer=leaving] > g").count() == 0, "what has left is gone"


def test_readers_who_want_no_motion_see_none(opens: Opens) -> None:
    page = opens()
    open_table(page, EMPTY)
    click(page, "F", "c3")
    played(page, 1)
    click(page, "W", "d3")
    played(page, 2)
    assert not seen(page)
    assert page.evaluate("() => document.getAnimations().length") == 0


def test_sound_follows_a_gesture_and_can_be_switched_off(opens: Opens) -> None:
    page = opens(phone=True, reduced_motion="no-preference", width=390, height=844)
    open_table(page, EMPTY)
    heard = "() => window.heard.splice(0).length"
    page.evaluate("() => document.querySelector('#typed input').value = 'Fc3'")
    page.evaluate("() => document.querySelector('#typed').requestSubmit()")
    played(page, 1)
    assert page.evaluate(heard) == 0, "nobody has touched the page yet"
    click(page, "W", "d3")
    page.locator("#choices .primary").click()
    played(page, 2)
    assert page.evaluate(heard) > 0
    assert page.evaluate("() => window.felt.splice(0)") == [15]
    for walk in ("back", "next"):  # what is only looked at again is not heard again
        page.locator(f"[data-walk={walk}]").click()
    expect(page.locator("#table.mine")).to_be_attached()
    assert page.evaluate(heard) == 0
    page.get_by_role("button", name="Sound").click()
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "false")
    page.evaluate(heard)
    click(page, "E", "a1")
    page.locator("#choices .primary").click()
    played(page, 3)
    assert page.evaluate(heard) == 0
    assert page.evaluate("() => window.felt.length") == 0
    page.reload()
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "false")


def test_what_would_be_placed_is_seen_under_the_pointer_while_dragging_and_before_it_is_confirmed(opens: Opens) -> None:
    page = opens()
    open_table(page, EMPTY)
    click(page, "F")
    square, other = (page.locator(f"[data-layer=targets] [data-target='{name}']") for name in ("c3", "d4"))
    square.hover()
    expect(ghost(page)).to_have_attribute("href", "#ignite-and-flow-fire")
    page.keyboard.press("Escape")
    page.mouse.move(5, 5)
    expect(ghost(page)).to_have_count(0)
    pile = page.locator("[data-layer=targets] [data-target='W']")
    pile.hover()
    page.mouse.down()
    other.hover()
    expect(page.locator("[data-layer=hand] > svg")).to_have_count(1)
    expect(ghost(page)).to_have_attribute("href", "#ignite-and-flow-water")
    page.mouse.up()
    played(page, 1)
    expect(ghost(page)).to_have_count(0)

    phone = opens(390, 844, phone=True)
    open_table(phone, EMPTY)
    click(phone, "E", "b2")
    expect(ghost(phone)).to_have_attribute("href", "#ignite-and-flow-earth")
    assert moves(phone) == 0


def test_an_open_choice_frames_no_square_and_a_few_are_marked(opens: Opens) -> None:
    page = opens()
    open_table(page, EMPTY)
    marks = page.locator("[data-layer=marks]")
    expect(marks.locator(".e-tick")).to_have_count(3)  # the supply
    click(page, "F")
    expect(marks.locator(".e-ring")).to_have_count(1)
    expect(marks.locator(".e-dot, .e-tick")).to_have_count(0)  # all squares of the board are possible
    open_table(page, FLOWING)
    click(page, "f2")
    expect(marks.locator(".e-dot")).not_to_have_count(0)
    open_table(page, NOTHING_LAID)
    expect(marks.locator(".e-dot")).to_have_count(36)  # all but the edge
    open_table(page, NOTHING_LAID.replace("=2", "=4").replace("-/-", "-/-/-/-"))
    expect(marks.locator(".e-dot")).to_have_count(60)  # also where that is most of the board
    open_table(page, LOWER_HALF_TO_TAKE)
    expect(marks.locator(".e-tick")).to_have_count(4)  # the hand, and a square under the lower half of a marker
    expect(marks.locator(".e-dot")).to_have_count(0)
