"""Whether a trial runs: one small row of the space, which survives restarts and forgetting."""

from datetime import datetime, timedelta

import msgspec

from slowwave.ports import Store

NO_DREAM, STAGE = "", "trial"
"""Where the store keeps it: beside the stages of dreams, under none."""


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """From when until when prompts get nothing; `until` is exclusive. `stopped` by hand."""

    started: datetime
    until: datetime
    stopped: bool = False

    def runs(self, now: datetime) -> bool:
        """Whether it runs at a moment; also where the clock was set back behind its start: nobody
        who relies on a trial is to find something in his prompt."""  # fmt: skip
        return not self.stopped and now < self.until


_decode = msgspec.json.Decoder(Trial).decode


def standing(store: Store, space: str) -> Trial | None:
    """The last trial of a space, running or over; None if there never was one."""
    payload = store.stages(space, NO_DREAM).get(STAGE)
    try:
        return _decode(payload) if payload is not None else None
    except msgspec.MsgspecError:  # of another version, or brought from elsewhere: none of ours
        return None


def running(store: Store, space: str, now: datetime) -> Trial | None:
    """The trial that runs at a moment."""
    trial = standing(store, space)
    return trial if trial is not None and trial.runs(now) else None


def begin(store: Store, space: str, now: datetime, days: float) -> Trial:
    """Starts a trial of so many days; one that runs goes on until then."""
    known = running(store, space, now)
    trial = Trial(started=known.started if known else now, until=now + timedelta(days=days))
    _put(store, space, trial)
    return trial


def end(store: Store, space: str, now: datetime) -> Trial | None:
    """Ends the trial that runs, now; None if none does. What it found stays in the ledger."""
    known = running(store, space, now)
    if known is None:
        return None
    trial = msgspec.structs.replace(known, until=now, stopped=True)
    _put(store, space, trial)
    return trial


def _put(store: Store, space: str, trial: Trial) -> None:
    store.put_stage(space, NO_DREAM, STAGE, msgspec.json.encode(trial))
