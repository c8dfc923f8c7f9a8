"""Somebody before a browser without scripts: opens pages, reads them, sends their forms."""

import re
from html.parser import HTMLParser

from starlette.testclient import TestClient

from slowwave.memory import SlowMemory
from slowwave.servers.dashboard.safety import CSRF_FIELD
from slowwave.spaces import Spaces


class Form(HTMLParser):
    """The forms of a page: where each goes, and its hidden fields."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[tuple[str, dict[str, str]]] = []
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collects forms, hidden fields and links."""
        given = {name: value or "" for name, value in attrs}
        if tag == "form" and given.get("method") == "post":
            self.forms.append((given["action"], {}))
        elif tag == "form":
            self.forms.append(("", {}))
        elif tag == "input" and given.get("type") == "hidden" and self.forms:
            self.forms[-1][1][given["name"]] = given["value"]
        elif tag == "a":
            self.links.append(given["href"])


class Desk:
    """Somebody before a browser without scripts: opens pages, sends their forms."""

    def __init__(self, spaces: Spaces, client: TestClient) -> None:
        self.spaces, self.client = spaces, client

    @property
    def memory(self) -> SlowMemory:
        """The memory behind the pages."""
        return self.spaces.first

    def open(self, way: str, language: str = "en", status: int = 200) -> str:
        """The text of a page."""
        answer = self.client.get(way, headers={"accept-language": language})
        assert answer.status_code == status, (way, answer.status_code, answer.text[-800:])
        return answer.text

    def send(self, on: str, action: str, status: int = 200, **fields: str) -> str:
        """Sends the form of a page that goes to `action`; the page that comes of it."""
        found = Form(self.open(on)).forms
        hidden = next(hidden for where, hidden in found if where == action)
        answer = self.client.post(action, data={**hidden, **fields})
        assert answer.status_code == status, (action, answer.status_code, answer.text[-800:])
        return answer.text

    def post(self, action: str, token: str = "", **fields: str) -> int:
        """Sends what no page of ours need have; the status. `token`: "" for the right one."""
        right = token or self.token()
        answer = self.client.post(action, data={CSRF_FIELD: right, **fields})
        return answer.status_code

    def token(self) -> str:
        """What the forms of this browser carry."""
        return self.token_of("/working")

    def token_of(self, way: str) -> str:
        """What the forms of a page carry; of one who may not see it, those of the error."""
        page = self.client.get(way).text
        found = re.search(f'name="{CSRF_FIELD}" value="([0-9a-f]+)"', page)
        return found[1] if found else ""

    def dream(self, date: str, by: str = "night") -> str:
        """The dream of a day."""
        known = self.memory.dreams()
        return next(one.dream_id for one in known if one.date == date and one.by == by)

    def saying(self, words: str) -> str:
        """The memory that says something."""
        return next(one.id for one in self.memory.memories() if words in one.text)
