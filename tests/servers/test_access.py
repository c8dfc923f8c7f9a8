"""What a token opens."""

from hypothesis import given
from hypothesis import strategies as st

from slowwave.servers.access import SCOPES, Grant, KnownToken, digest_of, grant_of

scopes = st.frozensets(st.sampled_from(SCOPES), min_size=1)


@given(scopes)
def test_scopes_open_what_they_say(held: frozenset[str]) -> None:
    grant = Grant(name="one", scopes=held)  # type: ignore[arg-type]
    for scope in SCOPES:
        opened = "admin" in held or scope in held or (scope == "read" and "review" in held)
        assert grant.may(scope) == opened
    assert not Grant(name="agent", scopes=frozenset({"log"})).may("read")


@given(st.lists(st.text(min_size=1, max_size=20), unique=True, max_size=4), st.text(max_size=20))
def test_no_spaces_means_every_one(spaces: list[str], asked: str) -> None:
    grant = Grant(name="one", scopes=frozenset({"read"}), spaces=tuple(spaces))
    assert grant.sees(asked) == (not spaces or asked in spaces)


@given(st.lists(st.text(min_size=1), unique=True, min_size=1, max_size=5), st.text())
def test_a_token_opens_itself_alone(tokens: list[str], other: str) -> None:
    known = [
        KnownToken(name=f"n{place}", digest=digest_of(token), scopes=("read",))
        for place, token in enumerate(tokens)
    ]
    for place, token in enumerate(tokens):
        grant = grant_of(token, known)
        assert grant is not None
        assert grant.name == f"n{place}"
    if other not in tokens:
        assert grant_of(other, known) is None
    assert grant_of(known[0].digest, known) is None, "what is kept opens nothing"
