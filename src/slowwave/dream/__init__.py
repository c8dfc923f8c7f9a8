"""The night: collect → distill → verify → reconcile → promote → forget → write.

Stages take and return values and do not know each other; only `cycle` knows the order. A stage of
one file is a module; in a package of several `stage.py` is the stage, and the rest helps it.

    cycle/        the order of the night, and what stands around it; turn: one turn, a small dream
    collect       the day's events
    distill/      messages → claims: by rules, by a model, and both as one list; lessons
    verify/       no claim without a quote, and none that must not come back
    reconcile/    claims beside what is known, one change a memory; judge/: what a model may rule
    promote/      candidates that become active; phases: light sleep and REM
    forget        what is over, idle or settled; consolidate: what the nights missed, once a week
    plans/        what stops a plan, waits for a person, or was decided by one
    write         the only one that changes anything

    compare/      two statements: the same, a change, or nothing to do with each other
    likeness      how alike two texts are by their vectors
    weigh/        what one memory counts for: its age, its signals, what it is about
    prompts/      what a model is told before it is asked, and where its quotes must stand
    refine/       a dreamed day read again
    curate/, diary/, topics/   for people: MEMORY.md, what the night tells, what a week is about
"""
