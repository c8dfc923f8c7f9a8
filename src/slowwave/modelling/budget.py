"""What one dream may spend on a model: tokens, and money where prices are known."""

from collections.abc import Iterable

from slowwave.errors import BudgetSpent
from slowwave.model import Ask, ModelCall
from slowwave.settings import ModelSettings
from slowwave.text.tokens import estimate

MILLION = 1_000_000


def size_of(ask: Ask) -> int:
    """Tokens of a question, rather too many than too few."""
    return estimate(ask.system) + estimate(ask.user)


class Budget:
    """The tokens and the cost of one dream, of which calls `before` a restart are a part."""

    def __init__(self, settings: ModelSettings, before: Iterable[ModelCall] = ()) -> None:
        self._settings = settings
        self.tokens = 0
        self.cost = 0.0
        for call in before:
            self.tokens += call.tokens_in + call.tokens_out
            self.cost += call.cost

    def price(self, tokens_in: int, tokens_out: int) -> float:
        """What so many tokens cost; 0 without prices."""
        settings = self._settings
        return (tokens_in * settings.price_in + tokens_out * settings.price_out) / MILLION

    def require(self, ask: Ask, size: int) -> None:
        """BudgetSpent unless a question of this size and the longest answer to it are paid for."""
        most = self._settings.max_tokens_per_dream
        if most and self.tokens + size + ask.max_tokens > most:
            raise BudgetSpent(
                f"this dream has used {self.tokens} of its {most} tokens, "
                f"and the next question may take {size + ask.max_tokens}",
                "the rest waits for the next dream; or raise model.max_tokens_per_dream",
            )
        dearest = self._settings.max_cost_per_dream
        if dearest and self.cost + self.price(size, ask.max_tokens) > dearest:
            raise BudgetSpent(
                f"this dream has cost {self.cost:.4f} of at most {dearest:g}",
                "the rest waits for the next dream; or raise model.max_cost_per_dream",
            )

    def charge(self, tokens_in: int, tokens_out: int) -> float:
        """Books what a call used; returns its cost."""
        cost = self.price(tokens_in, tokens_out)
        self.tokens += tokens_in + tokens_out
        self.cost += cost
        return cost
