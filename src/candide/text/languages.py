"""Names of languages."""

from __future__ import annotations

from collections.abc import Collection

from candide.errors import BadAnalyzer

CODES = {
    "albanian": "sq", "arabic": "ar", "armenian": "hy", "asturian": "ast", "basque": "eu", "bulgarian": "bg",
    "catalan": "ca", "czech": "cs", "danish": "da", "dutch": "nl", "english": "en", "esperanto": "eo",
    "estonian": "et", "finnish": "fi", "french": "fr", "galician": "gl", "georgian": "ka", "german": "de",
    "greek": "el", "hebrew": "he", "hindi": "hi", "hungarian": "hu", "icelandic": "is", "indonesian": "id",
    "irish": "ga", "italian": "it", "latin": "la", "latvian": "lv", "lithuanian": "lt", "luxembourgish": "lb",
    "macedonian": "mk", "malay": "ms", "malayalam": "ml", "manx": "gv", "nepali": "ne", "norwegian": "nb",
    "nynorsk": "nn", "persian": "fa", "polish": "pl", "portuguese": "pt", "romanian": "ro", "russian": "ru",
    "scottish gaelic": "gd", "serbian": "sr", "serbo-croatian": "hbs", "slovak": "sk", "slovenian": "sl",
    "spanish": "es", "swahili": "sw", "swedish": "sv", "tagalog": "tl", "tamil": "ta", "turkish": "tr",
    "ukrainian": "uk", "welsh": "cy", "yiddish": "yi",
}  # fmt: skip
NAMES = {code: name for name, code in CODES.items()} | {"no": "norwegian"}


def language(name: str, among: Collection[str], what: str) -> str:
    """The English name of a language, given that or its ISO code.

    >>> language("de", {"english", "german"}, "stop words")
    'german'
    """
    asked = name.strip().lower() if isinstance(name, str) else name
    found = NAMES.get(asked, asked)
    if found not in among:
        raise BadAnalyzer.unknown(f"{what} of a language", name, sorted(among))
    return found
