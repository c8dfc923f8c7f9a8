"""What every change of the ledger is followed by: its log, the indexes, the files."""

from slowwave import review, vault, working
from slowwave.memory.capturing import Capturing
from slowwave.model import Dream
from slowwave.ports import no_progress
from slowwave.recall import index


class Writing(Capturing):
    """One space of one home whose ledger can be changed."""

    def _settled(self, applied: Dream) -> Dream:
        """After any change set but a night's: its log, what is open, and the indexes."""
        self.parts.dream_log.write(applied)
        working.heed(self._store, applied, self.now())
        index.catch_up(self._store, self.space, no_progress)
        return applied

    def _in_step(self, applied: Dream) -> Dream:
        return vault.after(self._vault(), applied)

    def _by(self) -> review.By:
        """The person whose hand it is, now."""
        return review.By(self.space, self.parts.settings.owner, self.now())

    def _vault(self) -> vault.Tools:
        return vault.Tools(self.parts, self._by(), self._settled, self.import_paths)
