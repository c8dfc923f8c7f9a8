"""What may leave this machine (N17). The one gate that every model passes before it is asked."""

from collections.abc import Callable

from slowwave.errors import ModelRefused
from slowwave.model import Privacy
from slowwave.ports import LanguageModel

__all__ = ["guarded"]


def guarded(
    model: LanguageModel,
    privacy: Privacy,
    masked: Callable[[LanguageModel], LanguageModel] | None = None,
) -> LanguageModel:
    """The model as it may be asked: itself, or behind a mask.

    `masked` wraps a model so that it sees placeholders only. Raises ModelRefused (`access`) for
    one that is not on this machine, unless that is allowed; nothing was sent then.
    """
    if model.local or privacy == "open":
        return model
    if privacy == "masked" and masked is not None:
        return masked(model)
    if privacy == "masked":
        raise ModelRefused(
            f"the model {model.name} is not on this machine, and nothing here can mask a text",
            "use a model on this machine, or set model.privacy to open",
            "access",
        )
    raise ModelRefused(
        f"the model {model.name} is not on this machine, and model.privacy is local-only",
        "use a model on this machine, or set model.privacy to masked or open",
        "access",
    )
