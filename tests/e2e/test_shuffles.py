"""People in real browsers decide chance together, and check it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from e2e.browsers import Opens
from e2e.people import check_shuffles, join, says, sit, wait_for_turn
from playwright.sync_api import Page, WebSocketRoute, expect
from typer.testing import CliRunner

from empedocles.cli.app import app


def two_at_a_table(opens: Opens) -> tuple[Page, Page]:
    anna, bert = opens(), opens()
    sit(anna, "elemental-defenders", other="link")
    join(bert, anna.locator(".link input").input_value(), "Bert")
    return anna, bert


def resign(page: Page) -> None:
    page.get_by_role("button", name="Resign").click()
    page.locator("#asking").get_by_role("button", name="Resign").click()


def test_two_browsers_shuffle_and_can_prove_it(opens: Opens, tmp_path: Path) -> None:
    anna, bert = two_at_a_table(opens)
    expect(anna.locator("#moves li")).to_have_count(10)
    resign(anna)
    for page in (anna, bert):
        check_shuffles(page)
        says(page, "All 10 draws follow from what the server and the players promised before the deal.")
    for page, name in ((anna, "anna"), (bert, "bert")):
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save the proof").click()
        proof = tmp_path / f"{name}.emp"
        saved.value.save_as(proof)
        run = CliRunner().invoke(app, ["verify", str(proof)])
        assert run.exit_code == 0, run.output
        assert "all 10 draws follow" in run.output
        assert "values of seats 0 and 1" in run.output


def test_a_server_that_tells_another_secret_at_the_end_is_found_out(opens: Opens) -> None:
    page = opens()
    sit(page, "elemental-defenders")
    wait_for_turn(page)
    match = page.url.rpartition("/")[2]
    other = "00" * 32
    script = f"""() => {{
        const kept = JSON.parse(localStorage.getItem("shuffle:{match}"));
        localStorage.setItem("shuffle:{match}", JSON.stringify({{ ...kept, commitment: "{other}" }}));
    }}"""
    page.evaluate(script)  # the promise that this browser saw was another one
    page.reload()
    resign(page)
    check_shuffles(page)
    says(page, "The secret is not the one that was promised before the deal!")


def test_a_value_is_not_opened_for_a_server_that_has_changed_its_promise(opens: Opens) -> None:
    """Its digest comes with every state: here the live connection tells another one after the first."""
    page = opens()
    page.route_web_socket("**/live", _change_promise)
    page.goto("/new?game=elemental-defenders")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/t/*")
    says(page, "This browser no longer has its part of the shuffle.")
    assert page.locator("#moves li").count() == 0


def _change_promise(socket: WebSocketRoute) -> None:
    states = 0
    server = socket.connect_to_server()

    def hear(text: str | bytes) -> None:
        nonlocal states
        message = json.loads(text)
        if message["kind"] == "state":
            states += 1
            if states > 1:
                message["state"]["commitment"] = "00" * 32
        socket.send(json.dumps(message))

    server.on_message(hear)


@pytest.mark.parametrize("phone", [False, True])
def test_leaving_during_the_shuffle_cancels_the_table(opens: Opens, phone: bool) -> None:
    anna = opens(390 if phone else 1280, 844, phone=phone)
    bert = opens()
    sit(anna, "elemental-defenders", other="link")
    link = anna.locator(".link input").input_value()
    anna.goto("/")  # her browser is not there to open its value
    bert.goto(link)
    join(bert, link, "Bert")
    expect(bert.locator("#prompt")).to_contain_text("takes part in the shuffle but is not here yet.")
    match = link.partition("#")[0].rpartition("/")[2]
    assert bert.request.delete(f"/api/matches/{match}").status == 204
    anna.goto(f"/t/{match}")
    expect(anna.locator(".result")).to_contain_text("Cancelled before anything was dealt")
    anna.locator(".more > summary").click()
    expect(anna.get_by_role("button", name="Check the shuffles")).to_have_count(0)


def test_who_comes_back_is_waited_for(opens: Opens) -> None:
    anna, bert = opens(), opens()
    sit(anna, "elemental-defenders", other="link")
    link = anna.locator(".link input").input_value()
    table = anna.url
    anna.goto("/")
    join(bert, link, "Bert")
    expect(bert.locator("#prompt")).to_contain_text("is not here yet")
    anna.goto(table)
    for page in (anna, bert):
        expect(page.locator("#moves li")).to_have_count(10)
