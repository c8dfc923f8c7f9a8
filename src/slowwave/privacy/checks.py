"""Check digits: what makes a number a card, an account or a person's number."""

__all__ = ["is_card", "is_iban", "is_national"]

_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_DNI = "TRWAGMYFPDXBNJZSQVHLCKE"


def is_card(digits: str) -> bool:
    """Luhn's sum over 13 to 19 digits (ISO 7812)."""
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    total = 0
    for place, char in enumerate(reversed(digits)):
        value = int(char) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def is_iban(number: str) -> bool:
    """The remainder by 97 of ISO 13616; `number` without blanks."""
    number = number.upper()
    if not 15 <= len(number) <= 34 or not number.isascii() or not number.isalnum():
        return False
    return int("".join(str(int(char, 36)) for char in number[4:] + number[:4])) % 97 == 1


def is_national(number: str) -> bool:
    """The check digit of a Chinese resident id (GB 11643), or the letter of a Spanish DNI."""
    if len(number) == 9:
        return _DNI[int(number[:8]) % 23] == number[8].upper()
    total = sum(int(char) * weight for char, weight in zip(number, _WEIGHTS, strict=False))
    return "10X98765432"[total % 11] == number[17].upper()
