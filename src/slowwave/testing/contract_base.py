"""What the parts of the store contract share."""

from collections.abc import Iterator
from contextlib import contextmanager

from slowwave.ports import Store


class Contract:
    """A set of test methods over stores that a subclass opens."""

    def open_store(self) -> Store:
        """A new, empty store for one test."""
        raise NotImplementedError

    @contextmanager
    def store(self) -> Iterator[Store]:
        """A store that is closed afterwards, and sound until then."""
        opened = self.open_store()
        try:
            yield opened
            problems = opened.check()
            assert not problems, problems
        finally:
            opened.close()


@contextmanager
def refused(error: type[BaseException]) -> Iterator[None]:
    """The block must raise this error."""
    try:
        yield
    except error:
        return
    raise AssertionError(f"{error.__name__} was expected")
