"""What people do at a table."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from empedocles.position import Position

MOST_LOOKS = 200  # checks of a page for one move
BOT_WAITS = 120_000  # milliseconds for the others' moves: a bot's first move may have to wait for a compiler


CLOCKS = {"none": "no clock", "minutes": "15 min + 10 s per move", "days": "3 days per move"}


def players(page: Page, number: int, option: str = "players") -> None:
    """Choose how many play, in the form for a new table."""
    page.check(f"[name=option-{option}][value='{number}']")


def sit(page: Page, game: str, other: str = "level-1", clock: str = "none") -> None:
    """Open a table with me first, and the opponent given."""
    page.goto(f"/new?game={game}")
    page.select_option("[data-seat='1'] select", other)
    page.get_by_label(CLOCKS[clock], exact=True).check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/t/*")
    page.wait_for_selector("#board svg")


def sit_at(page: Page, start: str) -> None:
    """Open a table that starts from a position, with other people on this device."""
    page.request.post("/api/players", data={"name": "Ada"})
    names = ("Bo", "Cy", "Di")[: Position(start).seats - 1]
    seats = [{"kind": "me"}, *({"kind": "here", "name": name} for name in names)]
    wanted = {"game": start.split(maxsplit=1)[0], "start": start, "seats": seats}
    made = page.request.post("/api/matches", data=wanted).json()
    page.goto(f"/t/{made['id']}")
    wait_for_turn(page)


def sit_against(page: Page, start: str, *others: str, seat: int = 0) -> None:
    """Open a table that starts from a position, with me in a seat and bots in the others, or who is given."""
    page.request.post("/api/players", data={"name": "Ada"})
    count = Position(start).seats
    seats = [{"kind": kind} for kind in others or ("bot",) * (count - 1)]
    seats.insert(seat, {"kind": "me"})
    made = page.request.post(
        "/api/matches", data={"game": start.split(maxsplit=1)[0], "start": start, "seats": seats}
    ).json()
    page.goto(f"/t/{made['id']}")
    page.wait_for_selector("#board svg")


def join(page: Page, link: str, name: str) -> None:
    page.goto(link)
    page.fill("#naming input", name)
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url(link.partition("#")[0])


def answer(page: Page, name: str) -> None:
    """Answer a question that the app asks."""
    page.locator("#asking").get_by_role("button", name=name).click()


def moves(page: Page) -> int:
    return page.locator("#moves li").count()


def wait_for_turn(page: Page) -> None:
    """Wait until it is my turn, or the match is over; from the end of a round, go on."""
    page.wait_for_selector("#table.mine, .result, .milestone", timeout=BOT_WAITS)
    if (further := page.locator(".milestone button")).count():
        further.click()
        page.wait_for_selector("#table.mine, .result", timeout=BOT_WAITS)


def click_move(page: Page, pick: int = 0) -> None:
    """Make some move by clicking marked targets."""
    wait_for_turn(page)
    before = moves(page)
    for _ in range(MOST_LOOKS):
        if moves(page) > before or not page.locator("#table.mine").count():
            break
        button = page.locator("#choices .primary")
        can = page.locator("[data-layer=targets] .e-can")
        if button.count():
            button.first.click()
        elif found := can.count():
            can.nth(pick % found).click()
        else:  # the move is on its way
            page.wait_for_timeout(25)
    page.wait_for_selector(f"#moves li:nth-child({before + 1})")


def play_to_the_end(page: Page, most: int = 200) -> None:
    for turn in range(most):
        wait_for_turn(page)
        if page.locator(".result").count():
            return
        click_move(page, pick=turn)
    raise AssertionError(f"no end after {most} turns")


def check_shuffles(page: Page) -> None:
    """Check the shuffles, under "More"."""
    if not page.locator("#check").is_visible():
        page.locator(".more > summary").click()
    page.get_by_role("button", name="Check the shuffles").click()


def no_overflow(page: Page) -> None:
    """Check that nothing sticks out sideways."""
    wide = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{page.url} is {wide} px too wide"


def says(page: Page, text: str) -> None:
    expect(page.locator("#notice")).to_contain_text(text)
