"""Question → hits: words and vectors bring candidates up, one order ranks them, a prompt is picky.

Along the way of a question:

    question, period, pointing, vague   what is asked: of when, and of what
    new_request, sought                 … anew or not, and for what sort of value
    candidates, units, index            what words, vectors and days bring up
    rank, evidence, telling, timely, talks   one order
    nearness, centred                   how near in meaning, whatever the language
    prompt, answerable, coverage, whose, vital   what is fit for a prompt, or nothing
    guidance, learned                   wishes and lessons for a task
    retrieve                            the way through all of these
    signals, recorder                   that it was found, told behind the answer
"""
