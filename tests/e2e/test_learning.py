"""Rule books and lessons in a browser."""

from __future__ import annotations

from e2e.browsers import Opens
from e2e.people import no_overflow
from playwright.sync_api import Page, expect


def choose(page: Page, *targets: str) -> None:
    for target in targets:
        page.locator(f".board [data-target='{target}']").click()


def verdict(page: Page, text: str) -> None:
    expect(page.locator(".verdict")).to_have_text(text)


def test_a_lesson_from_a_wrong_try_to_the_next_lesson(opens: Opens) -> None:
    page = opens()
    page.goto("/learn/ignite-and-flow/4")
    choose(page, "c4")
    verdict(page, "Not allowed:")
    choose(page, "c3", "b3")
    verdict(page, "A legal move, but not the solution.")
    page.get_by_role("button", name="Start again").click()
    choose(page, "c3")
    page.hover(".board [data-target='c4']")
    expect(page.locator("[data-layer=ghost] use")).to_have_count(1)  # fire, where it would burn
    choose(page, "c4")
    verdict(page, "Right!")
    expect(page.get_by_role("link", name="Next lesson")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/5")
    expect(page.locator(".steps .done")).to_have_text("Lesson 4: Burn the temple, done")
    page.goto("/learn")
    expect(page.locator("[data-game='ignite-and-flow'] .progress")).to_have_text("1 of 10 lessons done")


def test_what_can_go_on_is_confirmed(opens: Opens) -> None:
    page = opens()
    page.goto("/learn/elemental-defenders/8")
    choose(page, "Me")
    expect(page.locator(".words")).to_contain_text("Play it as it is, or choose “challenge”")
    page.get_by_role("button", name="Play it").click()
    verdict(page, "A legal move, but not the solution.")
    page.get_by_role("button", name="Hint").click()
    page.get_by_role("button", name="Show me").click()
    verdict(page, "Here is the solution.")


def middle(page: Page, looks: str) -> tuple[float, float]:
    box = page.locator(f".board {looks}").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def go(page: Page, target: str) -> None:
    """Go to a target with arrow keys, along one axis and then the other, and choose it."""
    page.keyboard.press("ArrowDown")
    for turn in range(60):
        if page.locator(f".cursor[data-target='{target}']").count():
            page.keyboard.press("Enter")
            return
        (x, y), (goal_x, goal_y) = middle(page, ".cursor"), middle(page, f"[data-target='{target}']")
        sideways = "ArrowRight" if goal_x > x else "ArrowLeft"
        page.keyboard.press(sideways if turn % 2 and abs(goal_x - x) > 5 else "ArrowDown" if goal_y > y else "ArrowUp")
    raise AssertionError(f"no key leads to {target}")


def test_a_lesson_by_keyboard(opens: Opens) -> None:
    page = opens()
    page.goto("/learn/points-of-power/3")
    page.locator("#typed").focus()
    while not page.locator(".board:focus").count():
        page.keyboard.press("Shift+Tab")
    go(page, "g8")
    expect(page.locator(".spoken")).to_have_text("Fire on g8")
    expect(page.locator(".words")).to_contain_text("Choose where Fire on g8 goes")
    page.keyboard.press("Escape")
    assert page.locator(".e-chosen").count() == 0
    page.keyboard.press("Enter")
    go(page, "h7")
    verdict(page, "Right!")


def test_a_typed_move(opens: Opens) -> None:
    page = opens()
    page.goto("/learn/points-of-power/3")
    for move, answer in (
        ("g8-h9", "A legal move, but not the solution."),
        ("h8xh7", "Not allowed:"),
        ("g8xh7", "Right!"),
    ):
        page.fill("#typed", move)
        page.keyboard.press("Enter")
        verdict(page, answer)


def test_after_the_last_lesson_comes_a_match(opens: Opens) -> None:
    page = opens()
    page.goto("/learn/fire-and-water/10")
    choose(page, "c6")
    verdict(page, "Right!")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    expect(page.locator(".seat")).to_have_count(2)


def test_a_phone(opens: Opens) -> None:
    page = opens(360, 740, phone=True)
    for address in (
        "/rules",
        "/rules/fire-and-water",
        "/rules/elemental-defenders",
        "/learn",
        "/learn/points-of-power/3",
    ):
        page.goto(address)
        no_overflow(page)
    for target in ("g8", "h7"):
        page.locator(f".board [data-target='{target}']").tap()
    verdict(page, "Right!")
    expect(page.get_by_role("link", name="Next lesson")).to_be_in_viewport()


def test_a_link_from_elsewhere_lands_below_the_contents_of_a_phone(opens: Opens) -> None:
    page = opens(360, 740, phone=True)
    page.goto("/rules/ignite-and-flow#IF-10")
    expect(page.locator("#IF-10")).to_be_in_viewport()
    rule, contents = (page.locator(name).bounding_box() for name in ("#IF-10", ".contents"))
    assert rule is not None
    assert contents is not None
    assert rule["y"] >= contents["y"] + contents["height"]
    page.locator(".contents summary").tap()
    page.get_by_role("link", name="An example").tap()
    expect(page.locator(".scene").first).to_be_in_viewport()


def test_a_link_to_a_rule(opens: Opens) -> None:
    page = opens()
    page.goto("/rules/ignite-and-flow")
    page.locator("#IF-12 .rule-id").click()
    assert page.url.endswith("#IF-12")
    expect(page.locator("#IF-12")).to_be_in_viewport()
    page.get_by_role("link", name="house ruling").first.click()
    expect(page.locator("#rulings")).to_be_in_viewport()
