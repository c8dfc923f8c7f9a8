"""What is answered, where that is more than a noun of the model: one shape for every door.

The command line prints these with `--json`, REST sends them; field for field the same. Each file
turns what the front door gave into an answer of the contract.

asked (recall, context) · taken (log, turn) · kept (history, conflicts, doctor) · given (what went
into prompts) · tried (the trial) · gone (forgetting) · encoding (JSON that never fails)
"""
