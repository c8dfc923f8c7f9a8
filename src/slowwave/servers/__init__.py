"""The doors for programs, agents and people on the network: one process, one port, one home.

    serve.py      starts and stops it all
    app.py        puts the doors together        guard.py    who comes in: host, origin, size, token
    access.py     what a token opens             tokens.py   the tokens of a home
    problems.py   errors as problem+json         room.py     the memory a request may use
    counting.py   how often somebody tried       filelock.py one process changes a file at a time
    packed.py     how much an upload unpacks to  paths.py    what is open, what is a page
    rest/         /v1                            mcp/        the Model Context Protocol
    proxy/        /v1/chat/completions           dashboard/  pages for people
    resident/     dreams by itself (P9-P11)

Every door is closed by default: `guard` lets nothing in without a grant but what `app` names.
"""
