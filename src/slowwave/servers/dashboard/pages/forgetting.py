"""Forgetting for good: a plan that asks first, the deed, the receipt and its check."""

from hashlib import sha256

from starlette.responses import Response

from slowwave.erasure import Plan
from slowwave.errors import InputError, NotFound
from slowwave.servers.dashboard.pages.page import Page
from slowwave.servers.dashboard.visit import Visit

__all__ = ["PAGES"]

SHOWN = 50


def _mark(plan: Plan) -> str:
    """What stands for all that a plan takes: what was agreed to is what is done."""
    ids = [one.id for one in (*plan.memories, *plan.also)]
    events = [f"{one.id}={one.remains}" for one in plan.events]
    others = sorted(f"{one.where}:{one.id}" for one in plan.others)
    told = "\x1f".join([*sorted(ids), *sorted(events), *others])
    return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def _plan(visit: Visit) -> Plan:
    if "named" in visit.request.path_params:
        return visit.memory.forget_plan(visit.part("named"))
    text = visit.sent("text") or visit.asked("text")
    return visit.memory.forget_plan(text=text)


def ask(visit: Visit) -> Response:
    """`/forget/{id}`, `/forget?text=`: what would go."""
    if "named" not in visit.request.path_params and not visit.asked("text"):
        return visit.page("forget_words.html")
    return _asked(visit, _plan(visit))


def _asked(visit: Visit, plan: Plan, *, changed: bool = False) -> Response:
    if plan.empty:
        raise NotFound("nothing is kept that holds this text", "try fewer words of it")
    return visit.page(
        "forget.html",
        plan=plan,
        mark=_mark(plan),
        shown=SHOWN,
        changed=changed,
        text=visit.sent("text") or visit.asked("text"),
        whole=[one for one in plan.events if not one.remains],
        cut=[one for one in plan.events if one.remains],
        status=409 if changed else 200,
    )


def do(visit: Visit) -> Response:
    """`POST`: forgets what the page told, if that is still what would go."""
    plan = _plan(visit)
    if plan.empty or visit.sent("mark") != _mark(plan):
        return _asked(visit, plan, changed=True)
    done = visit.memory.forget(plan, by_hand=bool(visit.sent("by_hand")))
    return visit.go(f"/receipts/{done.receipt.id}", done="forgotten")


def receipt(visit: Visit) -> Response:
    """`/receipts/{id}`: what went, checked anew each time it is looked at."""
    named = visit.part("receipt_id")
    memory, gone = visit.memory, NotFound(
        f"no receipt {named[:40]!r}", "it is shown when something is forgotten"
    )  # fmt: skip
    if not named.isalnum():  # an id, and never the path of a file
        raise gone
    try:
        found = memory.receipt(named)
    except (NotFound, InputError) as error:
        raise gone from error
    if found.id != named or found.space != memory.space:  # all spaces keep theirs in one folder
        raise gone
    return visit.page("receipt.html", receipt=found, proof=memory.verify_receipt(named))


PAGES = (
    Page("/forget", ask, "admin"),
    Page("/forget", do, "admin", "POST"),
    Page("/forget/{named}", ask, "admin"),
    Page("/forget/{named}", do, "admin", "POST"),
    Page("/receipts/{receipt_id}", receipt, "admin"),
)
