"""What HTTP requires of a server: HEAD, OPTIONS, `Allow`, and a status for each problem with a body."""

from __future__ import annotations

import pytest
from server.people import House

JSON = {"content-type": "application/json"}


@pytest.mark.parametrize("path", ["/", "/api/games", "/rules", "/static/base.css", "/themes.css"])
def test_head_is_get_without_the_body(house: House, path: str) -> None:
    got, asked = house.client.get(path), house.client.head(path)
    assert asked.status_code == got.status_code == 200
    assert asked.headers["content-type"] == got.headers["content-type"]
    assert not asked.content


def test_options_and_refusals_name_the_methods(house: House) -> None:
    match = house.person("Ada").create("ignite-and-flow", "me", "here")["id"]
    for path, methods in {
        "/api/matches": "GET, HEAD, OPTIONS, POST",
        f"/api/matches/{match}": "DELETE, GET, HEAD, OPTIONS",
        "/api/players/me": "DELETE, GET, HEAD, OPTIONS, PATCH",
        "/api/players": "OPTIONS, POST",
        "/": "GET, HEAD, OPTIONS",
    }.items():
        answer = house.client.options(path)
        assert (answer.status_code, answer.headers["allow"]) == (204, methods)
        refused = house.client.put(path)
        assert (refused.status_code, refused.headers["allow"]) == (405, methods)
        assert refused.json()["code"] == "bad-method"
    assert house.client.options("/api/nothing").status_code == 404


def test_a_body_that_is_no_json_of_another_type_or_misspelt(house: House) -> None:
    def code(content: bytes, headers: dict[str, str]) -> tuple[int, str]:
        answer = house.client.post("/api/players", content=content, headers=headers)
        return answer.status_code, answer.json()["code"]

    assert code(b'{"name": ', JSON) == (400, "bad-request")
    assert code(b"\xff", JSON) == (400, "bad-request")
    assert code(b'{"name": "Ada"}', {"content-type": "text/plain"}) == (415, "bad-type")
    assert code(b'{"name": "Ada"}', {}) == (415, "bad-type")
    assert code(b'{"name": "Ada", "nmae": 1}', JSON) == (422, "bad-request")
    assert code(b'{"name": 7}', JSON) == (422, "bad-request")
    answer = house.client.post(
        "/api/players", content=b'{"name": "Ada"}', headers={"content-type": "application/x+json"}
    )
    assert answer.status_code == 201


def test_whole_numbers_may_have_a_point(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create("ignite-and-flow", "me", "here")["id"]
    headers = ada.headers | JSON
    moves = f"/api/matches/{match}/moves"
    assert house.client.post(moves, content=b'{"number": 1.5, "move": "Fc3"}', headers=headers).status_code == 422
    assert house.client.post(moves, content=b'{"number": "1", "move": "Fc3"}', headers=headers).status_code == 422
    assert house.client.post(moves, content=b'{"number": 1.0, "move": "Fc3"}', headers=headers).status_code == 200


def test_strangers_hear_how_to_say_who_they_are(house: House) -> None:
    refused = house.client.get("/api/players/me")
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
    described = house.client.get("/api/openapi.json").json()
    assert described["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert described["paths"]["/api/players/me"]["get"]["security"] == [{"token": []}, {"cookie": []}]
