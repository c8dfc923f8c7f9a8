"""Lines that a machine wrote or reads: shell commands, log lines, source code. Told by grammar."""

import re

from slowwave.text.later import later

__all__ = ["line_kind"]


def line_kind(line: str) -> str | None:
    """ "log", "code" or "shell" when the line is one, else None."""
    if len(line) > _LONG:
        line = line[:_LONG]
    if _LOG.match(line):
        return None if _goes_on_in_prose(line) else "log"
    if _is_code(line):
        return None if _goes_on_in_prose(line) else "code"
    return "shell" if _is_shell(line.strip()) else None


_LONG = 2000
"""What a line is shows in its beginning."""


def _any(*patterns: str) -> str:
    return "(?:" + "|".join(patterns) + ")"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# --- logs: a level behind a timestamp, a traceback, a test runner's verdict ---------------------

_LEVEL = r"(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|SEVERE|PANIC)"
_CLOCK = r"\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?"
_STAMP = rf"(?:\d{{4}}[-/]\d\d[-/]\d\d(?:[T ]{_CLOCK}(?: ?Z|[+-]\d\d:?\d\d)?)?|{_CLOCK})"
_LOG = later(
    _any(
        rf"\s*[\[(]?{_STAMP}[\])]?[\s|,:-]*(?:\[[^\]\n]{{0,80}}\][\s:-]*|[\w./-]{{1,80}}:?\s+)?"
        rf"[\[(<]?{_LEVEL}\b",
        rf"\s*\[{_LEVEL}\]",
        rf"{_LEVEL}[:|]\S+[:|]",
        rf"{_LEVEL}\s+[\[(]?{_STAMP}",
        rf"[A-Z][a-z]{{2}} [ \d]\d {_CLOCK} \S+ \S+?(?:\[\d+\])?:",
        r"[IWEF]\d{4} \d\d:\d\d:\d\d",
        r"\S+ \S+ \S+ \[[^\]\n]*\] \"[A-Z]+ [^\"\n]*\" \d{3}\b",
        r"(?:time|ts)=\"?[\d-]+[T ]\S* ",
        r"level=\w+ ",
        r"Traceback \(most recent call last\)",
        r"Caused by:",
        r"goroutine \d+ \[",
        r"npm (?:ERR!|WARN)",
        r"(?:fatal|panic): ",
        r"\s*File \"[^\"\n]+\", line \d+",
        r"\s+at \S+ ?\([^)\n]*:\d+(?::\d+)?\)",
        r"\s*at [\w.$/<>]+\(\w+\.\w+:\d+\)",
        r"(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Warning|Fault)(?:: |\s*$)",
        r"(?:=+|-+) (?:\d+ (?:passed|failed|error|skipped)|test session|FAIL|PASS|RUN)",
        r"(?:PASSED|FAILED|ok) \S+(?:::|/)\S+",
        r"[ \t]*\d{1,3}%\|",
        r"[bcdlps-](?:[r-][w-][xsStT-]){3}[.+@]?\s+\d+\s",
        r"(?:exit(?:ed with)? (?:code|status)|Process exited with code) \d+\s*$",
    )
)

_PERSON_SPEAKS = later(
    r"(?:[.!?:;,]\s|[。！？；，：]|\s?(?:—|–|--)\s?)[^\n]*?"
    r"(?:\b(?:i|i'm|i've|we|we're|our|us|my|mine|let's|please|always|from now on)\b"
    r"|我|咱|以后|往后|今后|记住|记得|请|你)",
    re.I,
)


def _goes_on_in_prose(line: str) -> bool:
    """A person pasted the line and says something behind it."""
    return bool(_PERSON_SPEAKS.search(_QUOTED.sub("", line)))


# --- source code --------------------------------------------------------------------------------

_VALUE = r"(?:[\w.]+\([^\n]*\)|[\[{(\"'][^\n]*[\]})\"']|[\w.]+)"
_CODE = later(
    r"\s*"
    + _any(
        r"(?:async\s+)?def \w+\s*\(",
        r"class \w+\s*(?:[({:]|extends\b|implements\b)",
        r"from [\w.]+ import \S",
        r"import (?:[\w.]+(?: as \w+)?(?:, ?[\w.]+)*|[{*\"'][^\n]*|\w+ from [\"'][^\n]*);?\s*$",
        r"(?:export (?:default|const|let|async|class|function|type|interface)\b"
        r"|(?:public|private|protected|static|final|async|override) )[^\n]*[({;=]",
        r"(?:const|let|var|val|auto)\s+(?:\w+(?:\s*:\s*[\w<>\[\]]+)?|[{\[][^=\n]*[}\]])\s*=\s*\S",
        r"(?:function|fn|func|fun|sub|proc)\s*\w*\s*[(<{]",
        r"(?:if|for|while|switch|catch|else if|elif)\s*\([^\n]*\)\s*\{?\s*$",
        r"\}?\s*(?:else|try|finally|do)\s*\{",
        r"(?:if|for|while|with|elif|except)\b[^。，？！\n]*[\w)\]\"']:\s*$",
        r"(?:else|try|finally):\s*$",
        r"return\b[^。，\n]*[;)\]]\s*$",
        r"#\s*(?:include|define|ifdef|ifndef|endif|pragma)\b",
        r"(?:using|namespace|package)\s+[\w.:]+\s*[;{]",
        r"SELECT\b[^\n]*\bFROM\s",
        r"(?:INSERT\s+INTO|UPDATE\s+\S+\s+SET|DELETE\s+FROM|DROP\s+TABLE)\s",
        r"(?:CREATE\s+(?:TABLE|INDEX|VIEW)|ALTER\s+TABLE)\s",
        r"@[A-Za-z_][\w.]*(?:\([^\n]*\))\s*$",
        r"//\s?\S|/\*|\*/|<\?(?:php|xml)\b|<!DOCTYPE\b|#!/",
        rf"[\w.$\[\]\"']+\s*(?:[-+*/|&]?=|:=)\s*{_VALUE};\s*(?://[^\n]*)?$",
        r"[\w.$\[\]\"']+\s(?:[-+*/|&]?=|:=)\s(?:[\w.]+\([^\n]*\)|[\[{(\"'][^\n]*[\]})\"'])\s*$",
        r"[\w.$]+(?:::\w+)*\([^。，\n]*\)\s*(?:;|\{|=>)\s*$",
        r"[a-z_]\w*(?:\.\w+)+\([^。，\n]*\)\s*$",
        r"(?:print|console\.log|printf|println!?|expect|require)\s*\([^\n]*\)\S*\s*$",
        r"[\"'][\w.-]+[\"']\s*:\s*(?:[\"'\[{\d-][^\n]*|true,?|false,?|null,?)\s*$",
        r"[)\]}]+[;,]?\s*$",
        r"\}\s*(?:catch|finally|while)\b",
        r"diff --git |@@ -\d|index [0-9a-f]{7,}\.\.|(?:\+\+\+|---) [ab]/",
        r"[\w.#:-]+(?:[\s>+~]+[\w.#:-]+)*\s*\{\s*$",
        r"[a-z-]+:\s*[^;。\n]{1,80};\s*$",
    )
)


def _is_code(line: str) -> bool:
    """A line of code, unless it goes on in prose behind the code."""
    match = _CODE.match(line)
    if match is None:
        return False
    rest = _QUOTED.sub("", line[match.end() :]).lstrip()
    return not _CJK.search(rest) or rest.startswith(("//", "#"))


# --- shell: prompt, or command position + options, pipes, redirections, paths -------------------

_CJK = later(r"[㐀-鿿぀-ヿ가-힯]")
_QUOTED = later(r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'")
_PROMPT = later(
    _any(
        r"[$%❯➜»]\s+(?=\S)",
        r"[\w.-]+@[\w.-]+[:\s][^\n$#]{0,80}[$#]\s",
        r"(?:PS )?[A-Z]:\\[^>\n]{0,200}>",
        r">>> ",
    )
)
_ASSIGNMENT = later(r"(?:export\s+)?[A-Za-z_]\w*=\S*")
_COMMAND = later(r"(?:\.{0,2}/)?[a-z][\w.+/-]*")
_PLAIN_COMMANDS = _words(
    "apt apt-get awk aws az bash brew bun cargo cd chmod chown cmake conda cp crontab curl df dig "
    "dnf docker docker-compose du echo egrep ffmpeg gcc gcloud gem gh git gpg grep gunzip gzip "
    "helm htop ifconfig java javac journalctl jq kubectl ls lsof mkdir mv mvn mysql mysqldump nano "
    "nc netstat nginx node npm npx nslookup openssl pacman pip pip3 pipx pkill pnpm podman poetry "
    "ps psql pwd pytest python python3 redis-cli rg rm rmdir rsync ruff rustc rustup scp sed sftp "
    "sh ssh ssh-keygen sudo systemctl tar tcpdump terraform tmux tsc ufw uname unzip uv uvicorn "
    "vim virtualenv wget xargs yarn yum zip zsh"
)
"""Words that begin a command line and hardly ever a sentence."""
_MARK = later(
    _any(
        r"(?:^|\s)--?[A-Za-z][\w-]*(?:=\S+)?(?=\s|$)",
        r"\s(?:\|\|?|&&|2?>>?|<)\s?\S",
        r"\$[({A-Za-z_]",
        r";\s*(?:do|done|then|fi)\b",
        r"\s&$",
        r"\\$",
    )
)
_ARGUMENT = later(r"[\w@%+=:,./~*?{}\[\]^$\\!#-]+|[|&<>;…]{1,2}|2>&1")
_PROSE = later(
    r"(?<![\w/.-])(?:the|is|are|was|were|be|been|i|we|you|he|she|they|my|our|your|their|this|that|"
    r"these|those|and|or|but|not|because|when|what|how|why|which|who|would|should|could|can|will|"
    r"does|did|do|has|have|had|it|its|always|never|every|please|sure|of|with|about|than|then|so|"
    r"instead|before|after|until|like|want|need|use|used|works|failed|for|a|an|on|in|to|at|by|from)"
    r"(?![\w/.=-])",
    re.I,
)
_COMMENT = later(r"\s#\s.*\Z")
_LEADING = _words("sudo time nohup env export")
_LOOP = later(r"(?:for|while|until|if)\b[^\n]*;\s*(?:do|then)\s[^\n]*;\s*(?:done|fi)\b")


def _is_shell(line: str) -> bool:
    if _LOOP.match(line):
        return True
    prompt = _PROMPT.match(line)
    if prompt:
        return not _CJK.search(_QUOTED.sub("", _COMMENT.sub("", line[prompt.end() :])))
    bare = _QUOTED.sub("Q", _COMMENT.sub("", line))
    words = bare.split()
    led = 0
    while led < len(words) and (words[led] in _LEADING or _ASSIGNMENT.fullmatch(words[led])):
        led += 1
    command = words[led:]
    if led > 1 and (not command or command[0] in ("&&", ";")):
        return True
    return bool(command) and not _reads_as_prose(bare) and _is_command(command, bare)


def _is_command(words: list[str], bare: str) -> bool:
    """A command word with arguments that are none of a sentence's: options, paths, names."""
    arguments = words[1:]
    if not _COMMAND.fullmatch(words[0]):
        return False
    if not arguments:
        return words[0].startswith(("./", "../"))
    if not all(_ARGUMENT.fullmatch(word) for word in arguments):
        return False
    if bare.startswith("sudo ") or _MARK.search(bare) or words[0] in _PLAIN_COMMANDS:
        return True
    return words[0].startswith(("./", "../", "/")) and all(map(_is_target, arguments))


def _is_target(word: str) -> bool:
    """An argument that no sentence would hold: a path, an option, a file name."""
    return any(mark in word for mark in "/.-=*$")


def _reads_as_prose(line: str) -> bool:
    if line.endswith(("。", "?", "？", ".")) and not line.endswith((" .", "/.", "..")):
        return True
    loose = (word for word in line.split() if _CJK.search(word))
    return any("/" not in word and "." not in word for word in loose) or bool(_PROSE.search(line))
