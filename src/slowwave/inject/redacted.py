"""Lines of which nothing is left but what a secret belongs to: `the shed's code is [secret:…]`.

Capture took the value out, so such a line tells nothing, and yet is near every question about what
the secret belongs to. It is an answer only where a secret is asked for: one was told, and when.
"""

import re

from slowwave.text.later import later

__all__ = ["tells"]

_MASK = re.compile(r"\[secret:[a-z-]{1,20}\]")
_NAME = (
    r"pass(?:words?|wd|phrases?|codes?|wort)|pwd|pw|kennwort|wachtwoord|contraseñas?|senhas?"
    r"|mot de passe|parola|пароль|logins?|log(?:ged|ging)? in|sign in|credentials?|creds"
    r"|(?:[a-z0-9]+[ _-])?(?:keys?|tokens?|secrets?|codes?|pins?|otp|cv[vc]2?|phrases?|signature)"
    r"|(?:safe|code|watch)[ -]?words?|combination|mnemonic|passports?|licen[cs]e|iban|ssn"
    r"|(?:id|bank|credit|debit|payment) cards?|(?:[a-z]+ )?(?:numbers?|no\.?|ids?)"
)
_HAN_NAME = (
    r"密[码碼钥鑰语語]|口令|暗[号號语語]|[秘私][钥鑰]|令牌|安全词|助记词|凭[证据]|登[录陆入]|[证證号號]件?[码碼]?|[码碼]"
    r"|[卡账帐賬][号號户]|护照|驾照|身份证|パスワード|暗証番号|비밀번호"
)
_ASKED = later(
    r"\b(?:pass(?:words?|wd|phrases?|codes?|ports?|wort)|pwd|pw|kennwort|wachtwoord|contraseñas?"
    r"|senhas?|mot de passe|parola|log(?:ged|ging)?[ -]?ins?|sign[ -]?in|credentials?|creds|keys?"
    r"|tokens?|secrets?|codes?|pins?|otp|cv[vc]2?|(?:safe|code|watch)[ -]?words?|mnemonic"
    r"|(?:seed|recovery|backup) phrases?|(?:safe|lock|padlock|vault)(?:['’]s)? combination"
    r"|combination (?:of|for|to)|licen[cs]e|iban|ssn|ids?|(?:id|bank|credit|debit|payment) cards?"
    r"|(?:account|card|tax|security|insurance) (?:numbers?|no\b))\b|пароль|密[码碼钥鑰语語]|口令"
    r"|暗[号號语語]|[秘私][钥鑰]|令牌|安全词|助记词|凭[证据]|登[录陆入]|[证證]件?[号號]"
    r"|(?:[证證验驗校动動]|安全|开门|门禁|取件|提取|邀请|激活|解锁|授权|支付|识别)[态態验驗]?[码碼]"
    r"|[卡账帐賬][号號户]|护照|驾照|身份证|解锁|怎么进|パスワード|暗証番号|비밀번호",
    re.IGNORECASE,
)
"""A question after a secret, or after how to get in."""

_BREAK = later(r"[，。；;!！?？、\n]+|[,.](?=\s|$)|\s[-–—]\s|\s(?:and|but|so)\s", re.IGNORECASE)
_ASIDE = later(
    r"(?:(?:好的?|嗯|那个|对了|顺便|另外|请|麻烦|你|帮我|替我|给我|先|再|要|以后|都|一定|千万|别|不要|不能"
    r"|记[一]?下(?:来)?|记住|记好|记着|记录(?:一下)?|存(?:一)?下(?:来)?|存着|保存|备忘|收好|忘了?|忘记|告诉(?:别人|任何人)"
    r"|外传|泄露|保密|谢谢|一下|吧|哦|啊|哈|了|hi|hello|hey|ok|okay|please|pls|kindly|also|just|btw"
    r"|fyi|by the way|for (?:later|me|now|your information|reference)|remember|note|save|keep|store"
    r"|write|jot|don['’]?t|do not|never|forget|tell|share|anyone|anybody|with|it|this|that|down"
    r"|safe|somewhere|secret|to yourself|thanks?|thank you|here(?:['’]s| is)?|and)[\s:：]*)+",
    re.IGNORECASE,
)
"""Words around the telling: that it is to be kept, or to be kept quiet."""

_JOINT = later(
    r"(?:\s*(?:['’]s|\b(?:is|was|are|be|ist|est|es|è|är|jest|now|still|currently|just|again|to|as|equals?)\b|[:：=＝>|→-]"
    r"|(?:已经?|刚刚?|现在|还|都|又)?(?:就?是|叫|为|改|换|设|设置|更新|重置|变)(?:成|为|到)?了?)\s*)*"
    r"[\"'`“「『‘*(（【\[]*\s*$",
    re.IGNORECASE,
)
"""Between the name of a secret and its value."""

_WHOSE = r"(?:\s(?:for|of|on|to|at|in)\s[^\d:：=]{1,40})?(?:\s(?:I|we)\s[a-z ]{1,24})?"
_NAMING = later(
    rf"(?:[^\d:：=@了过着]{{0,24}}(?:{_HAN_NAME})"
    rf"|(?:[^\s\d:：=@]+\s){{0,8}}[\w.-]{{0,40}}?(?:{_NAME}){_WHOSE})?\s*",
    re.IGNORECASE,
)
"""What the secret is of, and its name at the end; a value of its own has figures or a join."""

_VALUE = later(
    r"\d|[:：=@]|是|叫做?|名为|位于|\b(?:is|are|was|were|named|called|has|have|runs?|uses?)\b"
    r"|\b(?:user(?:name)?|account|login)\s(?!pass|pin|key|code|token|secret|cred|number|id\b)\S"
    r"|(?:账号|帐号|用户名?|账户)(?![的是]|密|口令|登)\S",
    re.IGNORECASE,
)
_LONGEST = 160
"""Characters before a secret that only say whose it is."""

_REST = later(r"[\s\"'`”」』’*)）】\].。!！~…的了吧哦啊呢]*")


def tells(text: str, question: str) -> bool:
    """Whether a text says something to a question, beside the name of a secret that is not asked.

    True for every text that capture took nothing out of.
    """
    if "[secret:" not in text or not _MASK.search(text):
        return True
    if _ASKED.search(question):
        return True
    return any(_says(clause) for clause in _BREAK.split(text))


def _says(clause: str) -> bool:
    """Whether something is left of a clause without its secrets, their names and the asides."""
    *named, rest = _MASK.split(clause)
    if not named:
        return bool(_bare(rest))
    if _bare(rest) and not _REST.fullmatch(rest):
        return True
    return any(_has_value(part) for part in named)


def _has_value(before: str) -> bool:
    words = _bare(before)
    if len(words) > _LONGEST:
        return True
    joint = _JOINT.search(words)
    what = words[: joint.start()] if joint else words
    return bool(_VALUE.search(what)) or not _NAMING.fullmatch(what)


def _bare(words: str) -> str:
    """Words without the asides at both ends."""
    words = words.strip()
    start = _ASIDE.match(words)
    return words[start.end() :].strip() if start else words
