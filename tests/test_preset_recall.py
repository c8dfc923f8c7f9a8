"""The preset `recall`: a few recent things for a prompt, and who the user is (X2, X5)."""

from datetime import datetime, timedelta
from pathlib import Path

from slowwave.wiring import Options, open_memory

NOW = datetime.fromisoformat("2031-05-20T09:00:00+08:00")


def _context(home: Path, preset: str, question: str) -> set[str]:
    """The words that a prompt gets under a preset."""
    (home / "slowwave.toml").write_text(f'preset = "{preset}"\nembedder = "none"\n')
    options = Options(home=str(home), now=NOW.isoformat(), tz="Asia/Shanghai")
    memory = open_memory(options)
    try:
        found = memory.context(question, 2_000)
        texts = memory.item_texts([item.id for item in found.items])
    finally:
        memory.close()
    return set(texts.values())


def _told(home: Path, *said: tuple[int, str]) -> None:
    for days, text in said:
        then = NOW - timedelta(days=days)
        options = Options(home=str(home), now=then.isoformat(), tz="Asia/Shanghai")
        memory = open_memory(options)
        memory.log([memory.event_line(f'{{"text": "{text}"}}'.encode(), 1)])
        memory.close()
    memory = open_memory(Options(home=str(home), now=NOW.isoformat(), tz="Asia/Shanghai"))
    memory.dream("all", apply=True)
    memory.close()


def test_old_talk_stays_out_and_who_the_user_is_does_not(tmp_path: Path) -> None:
    (tmp_path / "slowwave.toml").write_text('embedder = "none"\n')
    _told(
        tmp_path,
        (70, "I am allergic to walnut dust from the carving shop"),
        (60, "The walnut board for the carving shop cost 48 euros"),
        (3, "The walnut clamp for the carving shop is broken"),
    )
    question = "walnut carving shop"
    assert any("48 euros" in text for text in _context(tmp_path, "balanced", question))
    given = _context(tmp_path, "recall", question)
    assert not any("48 euros" in text for text in given)
    assert any("broken" in text for text in given)
    assert any("allergic" in text for text in given)


def test_at_most_three_things_are_given(tmp_path: Path) -> None:
    (tmp_path / "slowwave.toml").write_text('embedder = "none"\n')
    _told(
        tmp_path,
        (5, "The harbour crane was painted green by Ilse"),
        (4, "Our harbour crane lifts containers of grain"),
        (3, "A harbour crane inspector came from Lübeck"),
        (2, "The harbour crane cabin has a new heater"),
        (1, "Pigeons nest under the harbour crane"),
    )
    assert len(_context(tmp_path, "balanced", "harbour crane")) > 3
    assert len(_context(tmp_path, "recall", "harbour crane")) == 3
