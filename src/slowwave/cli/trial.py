"""Trial mode: what would have been injected, and whether it was right."""

import sys
from typing import TYPE_CHECKING

import click

from slowwave.cli import render
from slowwave.cli.door import Door, Ordered, common, progress_bar
from slowwave.errors import NotFound, UsageError
from slowwave.text.moment import moment

if TYPE_CHECKING:
    from datetime import datetime

    from slowwave.answers.tried import Standing
    from slowwave.memory import SlowMemory
    from slowwave.model import Verdict
    from slowwave.parts import Judged
    from slowwave.trial import Effect, Rate, Report, Suggestion

DAYS = click.FloatRange(0, 3660, min_open=True)
SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)
SOME = 10
"""Items that are asked for at once, unless told."""

DAYS_SHOWN = 14

ANSWERS: "dict[str, Verdict]" = {
    "y": "right", "yes": "right", "是": "right", "对": "right",
    "n": "wrong", "no": "wrong", "否": "wrong", "不": "wrong", "不是": "wrong",
}  # fmt: skip
SKIP = frozenset({"", "s", "skip", "跳过"})
QUIT = frozenset({"q", "quit", "退出"})


@click.group(
    cls=Ordered,
    invoke_without_command=True,
    epilog="""\b
Examples:
  slowwave trial replay --days 7         what last week's talk would have got, without waiting
  slowwave trial judge                   ten of those items: right or wrong?
  slowwave trial report                  rates, and the threshold that fits
  slowwave trial start --days 7          from now on: report only, inject nothing
""",
)
@common
def trial(door: Door) -> None:
    """Attach the memory read-only: it tells what it would have injected, and injects nothing."""
    if click.get_current_context().invoked_subcommand is None:
        _status(door)


@trial.command("start")
@click.option("--days", type=DAYS, default=7, show_default=True, help="How long it runs.")
@common
def trial_start(door: Door, days: float) -> None:
    """From now on `context` answers with an empty block; what it would have said is kept."""
    from slowwave.answers import tried  # noqa: PLC0415 - start-up counts

    memory = door.memory(create=False)
    before = memory.trial_standing()
    begun = tried.begun(memory, days)

    def show() -> None:
        if before is not None and begun.was_running:
            since = render.minute(_local(before.started, memory))
            until = render.minute(_local(before.until, memory))
            click.echo(f"a trial ran already, from {since} to {until}: it goes on, with a new end")
        _show_standing(begun)

    door.answer(begun, show)


@trial.command("stop")
@common
def trial_stop(door: Door) -> None:
    """End the trial now: prompts get their memories. What it found stays."""
    from slowwave.answers import tried  # noqa: PLC0415 - start-up counts

    ended = tried.ended(door.memory(create=False))

    def show() -> None:
        if ended.stopped:
            click.echo("the trial is over: prompts get their memories from now on")
        else:
            click.echo("no trial runs: prompts get their memories")

    door.answer(ended, show)


@trial.command("status")
@common
def trial_status(door: Door) -> None:
    """Whether a trial runs, until when, and what it has found so far."""
    _status(door)


def _status(door: Door) -> None:
    from slowwave.answers import tried  # noqa: PLC0415 - start-up counts

    memory = door.memory(create=False)
    stands = tried.standing(memory, memory.trial_standing())
    door.answer(stands, lambda: _show_standing(stands))


def _local(ts: "datetime", memory: "SlowMemory") -> "datetime":
    return ts.astimezone(memory.now().tzinfo)


def _show_standing(told: "Standing") -> None:
    if told.until is None:
        click.echo("no trial: prompts get their memories")
    elif told.running:
        click.echo(f"a trial runs until {render.minute(told.until)}: nothing is injected")
    else:
        click.echo(f"the trial is over since {render.minute(told.until)}")
    render.field("questions so far", told.questions)
    if told.questions:
        click.echo("see them: slowwave trial report")


@trial.command("replay")
@click.option("--days", type=DAYS, default=7, show_default=True, help="How far back.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=200, show_default=True,
              help="At most so many questions, evenly spread.")  # fmt: skip
@click.option("--budget", type=click.IntRange(1, 100_000), default=600, show_default=True,
              help="At most so many tokens each.")  # fmt: skip
@click.option("--progress", "plain", is_flag=True, help="Lines of progress on stderr.")
@common
def trial_replay(door: Door, days: float, limit: int, budget: int, plain: bool) -> None:
    """Ask what you said in the last days, each message with what was known before it.

    No trial has to run for it, and nothing but the trial's own notes is written. Ctrl-C keeps what
    is done; asking again keeps your verdicts.
    """
    memory = door.memory(create=False)
    door.writing = True
    with progress_bar(plain=plain) as progress:
        done = memory.trial_replay(days, limit, budget, progress)
    from slowwave.answers import tried  # noqa: PLC0415 - start-up counts

    answer = tried.replayed(done)

    def show() -> None:
        asked, items = render.plural(answer.questions, "question"), answer.items
        got = render.plural(items, "item")
        click.echo(f"{asked} replayed; {answer.answered} would have got {got}")
        if items:
            click.echo("judge some of them: slowwave trial judge")

    door.answer(answer, show)


@trial.command(
    "judge",
    epilog="""\b
Examples:
  slowwave trial judge 20                asks about twenty items
  slowwave trial judge --list            shows what it would ask
  slowwave trial judge j4kq --yes        says of one that it was right
""",
)
@click.argument("what", required=False, metavar="[N|ID]")
@click.option("--yes", "verdict", flag_value="right", help="This item was right.")
@click.option("--no", "verdict", flag_value="wrong", help="This item was wrong.")
@click.option("--list", "only_list", is_flag=True, help="Show the items, and ask nothing.")
@common
def trial_judge(door: Door, what: str | None, verdict: "Verdict | None", only_list: bool) -> None:
    """Say yes or no to items that were found: some over the threshold, some just below it."""
    from slowwave.answers import tried  # noqa: PLC0415 - start-up counts

    memory = door.memory(create=False)
    if verdict:
        if not what:
            raise UsageError("which item?", "`slowwave trial judge --list` shows the ids")
        told = memory.trial_judge(what, verdict)
        judgement = tried.Judgement(id=told.id, verdict=verdict)
        door.answer(judgement, lambda: click.echo(f"{told.id}: {verdict}"))
        return
    waiting = memory.trial_waiting(_number(what))
    if only_list or door.json:
        door.answer([tried.waiting(one) for one in waiting], lambda: _show_items(waiting))
    elif not sys.stdin.isatty():
        raise UsageError("there is nobody to ask", "use `--list`, then `judge ID --yes` or `--no`")
    else:
        _ask_all(memory, waiting)


def _number(what: str | None) -> int:
    if what is None:
        return SOME
    if what.isdecimal() and int(what) > 0:
        return int(what)
    raise UsageError(f"{what!r} is no number of items", "with an id goes --yes or --no")


def _show_items(waiting: "list[Judged]") -> None:
    if not waiting:
        click.echo("nothing waits to be judged")
        return
    rows = [
        (one.sample.id, f"{one.sample.item.score:.2f}", "yes" if one.sample.injected else "no",
         render.clip(one.sample.query, 40), f"{one.ts:%Y-%m-%d}", one.text)
        for one in waiting
    ]  # fmt: skip
    render.table(("id", "score", "injected", "question", "date", "item"), rows)


def _ask_all(memory: "SlowMemory", waiting: "list[Judged]") -> None:
    if not waiting:
        click.echo("nothing waits to be judged: `slowwave trial replay` finds something")
        return
    click.echo(
        "Would you have wanted this item in the answer to this question? 这条记忆对这个问题有用吗？"
    )
    told = 0
    for number, one in enumerate(waiting, start=1):
        answer = _ask(number, len(waiting), one, memory)
        if answer is None:
            break
        if answer:
            memory.trial_judge(one.sample.id, answer)
            told += 1
    click.echo(f"{render.plural(told, 'verdict')} kept; slowwave trial report")


def _ask(number: int, of: int, one: "Judged", memory: "SlowMemory") -> "Verdict | None":
    """A person's answer; empty to skip, None to stop."""
    click.echo()
    asked = _local(one.sample.ts, memory)
    render.line(
        f"{number}/{of}  asked {render.minute(asked)}: {one.sample.query}", hang=2, bold=True
    )
    refs = f" ({render.short_ref(one.refs[0])})" if one.refs else ""
    head = f"{_local(one.ts, memory):%Y-%m-%d}  {one.what}"
    render.line(f"{head}: {one.text}{refs}", indent=2, hang=2)
    while True:
        try:
            given = click.prompt("  right? 对吗？ [y]es, [n]o, [s]kip, [q]uit", default="s",
                                 show_default=False)  # fmt: skip
        except click.Abort:  # what was said before is kept
            click.echo()
            return None
        word = given.strip().casefold()
        if word in QUIT:
            return None
        if word in SKIP:
            return ""
        if word in ANSWERS:
            return ANSWERS[word]


@trial.command("report")
@click.option("--since", help="Only questions asked at or after this day or moment.")
@click.option("--false-recall", type=SHARE, default=0.1, show_default=True,
              help="The share of wrong items that you would bear.")  # fmt: skip
@common
def trial_report(door: Door, since: str | None, false_recall: float) -> None:
    """How much would have been injected, how much of it was right, and a threshold that fits."""
    made = _report(door, since, false_recall)
    door.answer(made, lambda: _show_report(made))


@trial.command("apply")
@click.option("--false-recall", type=SHARE, default=0.1, show_default=True,
              help="The share of wrong items that you would bear.")  # fmt: skip
@common
def trial_apply(door: Door, false_recall: float) -> None:
    """Print the line for slowwave.toml that sets the suggested threshold. Writes nothing."""
    made = _report(door, None, false_recall)
    found = made.suggestion
    if found.after is None:
        raise NotFound("no threshold to suggest yet", _missing(found))
    threshold = found.after.threshold
    line = f"[recall]\nmin_score = {threshold:g}"
    changed = threshold != made.threshold

    def show() -> None:
        click.echo(line)
        note = "write this into slowwave.toml" if changed else "this is what is in force already"
        click.echo(note, err=True)

    door.answer({"min_score": threshold, "changed": changed, "toml": line}, show)


def _report(door: Door, since: str | None, false_recall: float) -> "Report":
    memory = door.memory(create=False)
    start = moment(since, memory.now().tzinfo, end_of_day=False) if since else None
    return memory.trial_report(start, false_recall)


def _show_report(made: "Report") -> None:
    if not made.questions:
        click.echo("nothing was asked yet: `slowwave trial replay` asks what you said last week")
        return
    live = made.questions - made.replayed
    render.field("questions", f"{made.questions} ({live} asked live, {made.replayed} replayed)")
    share = made.answered / made.questions
    render.field("would have got something", f"{made.answered} ({share:.0%})")
    render.field("items", f"{made.items}, and {made.passed} just below the threshold")
    render.field("tokens each", f"{made.tokens:.0f}")
    render.field("took", f"{made.took_ms[0]:.0f} ms (median), {made.took_ms[1]:.0f} ms (95 %)")
    click.echo()
    rows = [(day.day.isoformat(), str(day.questions), str(day.answered), str(day.items),
             str(day.tokens), f"{day.took_ms:.0f}") for day in made.days[-DAYS_SHOWN:]]  # fmt: skip
    render.table(("day", "questions", "got something", "items", "tokens", "ms"), rows)
    click.echo()
    judged = f"{made.right} right, {made.wrong} wrong, {made.waiting} not judged"
    render.field("judged", judged)
    render.field("hit rate", _rate(made.rates.hit, "of the right items that were found"))
    render.field("false recall", _rate(made.rates.false_recall, "of the injected items"))
    _show_suggestion(made.suggestion)


def _rate(rate: "Rate | None", of_what: str) -> str:
    if rate is None:
        return "not known yet: judge some items over the threshold and some below it"
    return f"{rate.rate:.0%} {of_what} (95 %: {rate.low:.0%} to {rate.high:.0%}; n = {rate.n})"


def _show_suggestion(found: "Suggestion") -> None:
    if found.after is None:
        render.field("threshold", f"{found.before.threshold:g}; to suggest another, "
                     f"{_missing(found)}")  # fmt: skip
        return
    if found.after.threshold == found.before.threshold:
        fits = "it fits" if found.kept else _unkept(found)
        render.field("threshold", f"{found.before.threshold:g}: {fits}")
        return
    click.echo()
    rows = [_effect("now", found.before), _effect("suggested", found.after)]
    render.table(("threshold", "", "got something", "items", "hit rate", "false recall"), rows)
    if not found.kept:
        click.echo(_unkept(found))
    click.echo("take it: slowwave trial apply")


def _unkept(found: "Suggestion") -> str:
    return f"no threshold keeps false recall under {found.wrong_at_most:.0%}; this is the nearest"


def _effect(name: str, effect: "Effect") -> tuple[str, ...]:
    known = (effect.rates.hit, effect.rates.false_recall)
    shares = (f"{rate.rate:.0%}" if rate else "?" for rate in known)
    return (f"{effect.threshold:g}", name, str(effect.answered), str(effect.items), *shares)


def _missing(found: "Suggestion") -> str:
    parts = ((found.more_right, "right"), (found.more_wrong, "wrong"))
    more = " and ".join(f"{number} more {kind}" for number, kind in parts if number)
    return f"judge until there are {more} ones (slowwave trial judge)"
