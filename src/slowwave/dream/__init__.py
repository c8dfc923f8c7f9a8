"""The night: collect → distill → verify → reconcile → promote → write.

Stages take and return values and do not know each other; only `cycle` knows the order. A module
named after a stage is the stage; what begins with its name and a low line helps it:

    cycle…        the order, and what stands around it: model or rules, pairs judged, the telling
    turn          one turn as a small dream; refine… a dreamed day read again; waiting, outdated,
                  decided: plans that a person has not decided, or has
    collect       the day's events
    distill…      messages → claims: …_rules by clauses and cues, …_model by a model, …_union both
    verify        no claim without a quote; forgotten, diary_echo: what must not come back
    reconcile…    claims beside what is known, one change a memory; coreference: one person, one
                  subject; reschedule: the new day of a moved plan; judge…: what a model may rule
    compare…      two statements: the same, a change, or nothing to do with each other
    phases, promote…, signal…, ageing, forget, consolidate, curate…   what lasts, and what does not
    gates, warnings   what stops a plan, and what a person should know
    diary…        what the night tells people; never evidence
    write         the only one that changes anything
"""
