"""What people read in the vault, as it is written. `GOLDEN_UPDATE=1 pytest` renews the files."""

import os
from datetime import timedelta
from pathlib import Path

import pytest

from slowwave import review

HERE = Path(__file__).parent / "golden"


def told(desk) -> dict[str, str]:
    """The files of a small life, both languages, with everything that can stand in one."""
    desk.dream(
        "Ilse takes over the pottery in May", kind="relationship", subject="Ilse", importance=85
    )
    desk.dream("The kiln controller runs firmware v2.4.1", kind="environment", importance=70)
    desk.dream("I take my tea without sugar", kind="preference", importance=65)
    glaze = desk.dream("Glaze orders go out on Fridays", kind="rule", importance=75)[0]
    desk.dream("这次先用快递寄样品", kind="preference", standing="one_off")
    desk.sync()
    desk.now += timedelta(days=1)
    by = desk.by()
    review.edit(desk.store, by, glaze.id, "Glaze orders go out on Thursdays <!-- not Fridays -->")
    desk.now += timedelta(hours=1)
    review.pin(desk.store, desk.by(), glaze.id)
    desk.tokens = 178
    desk.sync()
    entry = desk.entry(glaze).read_text(encoding="utf-8")
    for event in desk.store.events_after("alder", 0, 100):
        entry = entry.replace(event.id, f"<event {event.seq}>")
    return {
        "MEMORY": desk.text(),
        "DREAMS": (desk.root / "DREAMS.md").read_text(encoding="utf-8"),
        "entry": entry,
    }


@pytest.mark.parametrize("name", ["MEMORY", "DREAMS", "entry"])
def test_pages(desk, name: str) -> None:
    text = told(desk)[name]
    if name == "entry":
        # Its stamp covers the ids of events, which differ.
        lines = text.split("\n")
        text = "\n".join("<!-- slowwave:begin … -->" if "begin" in one else one for one in lines)
    path = HERE / f"{name}.md"
    if os.environ.get("GOLDEN_UPDATE"):
        HERE.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), "renew: GOLDEN_UPDATE=1 pytest"
