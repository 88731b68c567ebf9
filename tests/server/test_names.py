"""Visible names: what is refused, what is kept, and what is left of imported names."""

from __future__ import annotations

import pytest
from server.people import House

import empedocles
from empedocles.play.records import Record
from empedocles.server.domain.names import checked, cleaned
from empedocles.server.domain.refusals import Refused

GOOD = [
    "Ada",
    "José Müller-Lüdenscheidt",
    "Nguyễn Thị Ánh",
    "李小龙",
    "محمد",
    "می\u200cخواهم",  # Persian, with the non-joiner that its spelling needs
    "שָׁלוֹם",
    "क्\u200dषिति",  # Hindi, with a joiner after a virama
    "ประเสริฐ",
    "👩\u200d🚀 Valentina",
    "❤\ufe0f",
    "#\ufe0f\u20e3",
    "<b>&'\"",
    "...",
]
INVISIBLE = {
    "zero width": "\u200b\u200b",
    "zero width inside": "A\u200bda",
    "joiner in Latin": "A\u200dda",
    "non-joiner in Latin": "A\u200cda",
    "joiner at the end": "Ada\u200d",
    "word joiner": "Ada\u2060",
    "byte order mark": "\ufeffAda",
    "combining only": "\u0301\u0308",
    "combining first": "\u0301Ada",
    "combining after a blank": "Ada \u0301",
    "Hangul filler": "\u3164",
    "Hangul jamo fillers": "\u115f\u1160",
    "half-width filler": "Ada\uffa0",
    "Braille blank": "\u2800",
    "soft hyphen": "A\u00adda",
    "variation selector": "Ada\ufe00",
    "emoji style of nothing": "\ufe0f",
    "emoji style of a letter": "A\ufe0fda",
    "variation selector supplement": "A\U000e0100",
    "tags": "A\U000e0061",
    "private use": "\ue000",
    "unassigned": "A\u0378",
    "half a character": "A\ud800",
    "control": "A\x07da",
    "left to right mark": "Ada\u200e",
    "override": "\u202eadA",
    "isolate": "Ada\u2066",
    "Arabic letter mark": "Ada\u061c",
    "Mongolian vowel separator": "A\u180eda",
    "Khmer inherent vowel": "\u17b4",
    "grapheme joiner": "A\u034fda",
    "tower of accents": "A" + "\u0316\u0317\u0318\u0319" + "da",
}


@pytest.mark.parametrize("name", GOOD)
def test_names_of_people_are_kept(name: str) -> None:
    assert checked(name) == name
    assert cleaned(name).replace("\u200d", "") == name.replace("\u200d", "").replace("\u200c", "")


@pytest.mark.parametrize("name", INVISIBLE.values(), ids=INVISIBLE)
def test_what_does_not_show_is_refused(name: str) -> None:
    with pytest.raises(Refused) as refused:
        checked(name)
    assert refused.value.code == "invisible-name"


@pytest.mark.parametrize("name", INVISIBLE.values(), ids=INVISIBLE)
def test_names_from_elsewhere_lose_what_does_not_show(name: str) -> None:
    left = cleaned(name)
    assert not left or checked(left) == left


def test_blanks_of_all_kinds_are_the_same() -> None:
    assert checked("\u3000Ada\u00a0\u2003Bo\t\n") == "Ada Bo"
    for nothing in ("", " ", "\u00a0\u2003", "\u3000"):
        with pytest.raises(Refused, match="1 to 40"):
            checked(nothing)


def test_the_same_name_is_the_same_text() -> None:
    assert checked("Jose\u0301") == checked("José") == "José"
    assert checked("e\u0301" * 40) == "é" * 40  # counted as it is shown


def test_a_long_name_from_elsewhere_is_cut_where_a_letter_ends() -> None:
    assert cleaned("x" * 39 + " yz") == "x" * 39
    assert len(cleaned("e\u0316" * 100_000)) == 40


def test_nobody_plays_under_an_invisible_name(house: House) -> None:
    ada = house.person("Ada")
    for name in ("\u3164", "A\u202eda"):
        for answer in (
            house.client.post("/api/players", json={"name": name}),
            house.client.patch("/api/players/me", json={"name": name}, headers=ada.headers),
            ada.ask("POST", "", {"game": "ignite-and-flow", "seats": [{"kind": "me"}, {"kind": "here", "name": name}]}),
        ):
            assert (answer.status_code, answer.json()["code"]) == (422, "invisible-name")
    record = str(Record(empedocles.new("elemental-defenders", seed=1), {0: "\u3164", 1: "E\u202eve"}))
    made = house.client.post("/api/imports", json={"record": record}, headers=ada.headers).json()
    assert [seat["name"] for seat in made["seats"]] == ["", "Eve"]
