"""Trial mode: for some days the memory only reports what it would have injected (X8).

While it runs, prompts get nothing, and the injection ledger keeps what they would have got: the
items over the threshold, and those just below it. A person says of some of them whether they were
right; from that come the rates and a threshold. Nothing here searches: `memory` hands in what was
found. Pure, but for the store.
"""

from slowwave.trial.estimate import Rate, Rates, rates, wilson
from slowwave.trial.judge import Sample, decided, judged, one_of, queue, samples
from slowwave.trial.replay import questions
from slowwave.trial.state import Trial, begin, end, running, standing
from slowwave.trial.summary import Day, Report, report
from slowwave.trial.threshold import LEAST, WRONG_AT_MOST, Effect, Suggestion, suggest
from slowwave.trial.would import JUST_BELOW, PASSED, split

__all__ = [
    "JUST_BELOW", "LEAST", "PASSED", "WRONG_AT_MOST", "Day", "Effect", "Rate", "Rates", "Report",
    "Sample", "Suggestion", "Trial", "begin", "decided", "end", "judged", "one_of", "questions",
    "queue", "rates", "report", "running", "samples", "split", "standing", "suggest", "wilson",
]  # fmt: skip
