"""The stop words of each language hold sentences together, and say nothing."""

from __future__ import annotations

import unicodedata
from collections import Counter
from pathlib import Path

import pytest

import candide.text
from candide.text import Analyzer, stop_words, stopwords

LANGUAGES = sorted(stopwords.LANGUAGES)
SAID = {  # words that turn a sentence round, and words that praise, blame or name things
    "danish": "ikke ej aldrig ingen intet ingenting uden nej hverken imod god dårlig meget elsker",
    "dutch": "niet geen nooit niets niemand zonder nee noch nergens tegen goed slecht heel graag",
    "english": "not no nor never none nothing nobody nowhere neither without cannot don didn isn wasn won t "
    "hardly barely against unless few very too like well good bad best worst love hate free great just only over",
    "finnish": "ei en et emme ette eivät älä eikä ilman koskaan hyvä huono hyvin paljon",
    "french": "ne n pas jamais rien aucun aucune ni non sans personne plus moins guère contre bien mal bon très trop",
    "german": "nicht kein keine keinen nie niemals nichts niemand ohne weder noch nein gegen gut schlecht sehr kaum",
    "italian": "non né no mai niente nulla nessuno nessuna senza neanche nemmeno contro bene male molto più meno",
    "norwegian": "ikke ikkje aldri ingen inga intet ingenting uten utan nei verken mot god dårlig veldig",
    "polish": "nie ni ani nigdy nic nikt bez żaden żadna przeciw brak dobry zły bardzo",
    "portuguese": "não nem nunca jamais nada ninguém nenhum nenhuma sem contra bem mal bom mau muito mais menos",
    "russian": "не нет ни без никогда никто ничто ничего нельзя никак никого против хорошо плохо очень",
    "spanish": "no ni nunca jamás nada nadie ninguno ninguna ningún sin tampoco contra sino bien mal muy más menos",
    "swedish": "inte ej icke aldrig ingen inget inga ingenting utan nej varken mot bra dålig mycket",
    "turkish": "değil yok hiç hiçbir asla ne iyi kötü çok en daha karşı",
    "ukrainian": "не ні ані без ніколи ніхто ніщо нічого немає нема проти добре погано дуже",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_list_takes_away_what_a_sentence_says(language: str) -> None:
    assert not stop_words(language) & set(SAID[language].split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_stop_word_can_be_met_in_a_text(language: str) -> None:
    found = stop_words(language)
    assert len(found) > 100
    for word in found:
        assert Analyzer(short=True).words(word.upper()) == [word] or language == "turkish" or "ß" in word
        assert Analyzer(short=True).words(word) == [word]
        assert unicodedata.normalize("NFC", word) == word


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_is_dropped(language: str) -> None:
    text = " ".join(sorted(stop_words(language)))
    assert Analyzer.of(stop=language, short=True).tokens(f"{text} candide") == ["candide"]
    assert len(Analyzer.of(short=True).tokens(text)) == len(stop_words(language))


def test_there_is_a_file_a_language() -> None:
    folder = Path(candide.text.__file__).parent / "stop"
    assert sorted(path.stem for path in folder.iterdir()) == LANGUAGES == sorted(SAID)


def test_nothing_is_dropped_unless_asked() -> None:
    assert Analyzer().tokens("It is the end of the road") == ["it", "is", "the", "end", "of", "the", "road"]


def test_negations_stay() -> None:
    analyzer = Analyzer.of(stop="english", ngrams=(1, 2))
    assert analyzer.tokens("It was not good at all") == ["not", "good", "not good"]


SPEECHES = [
    ("An inspiring address", "Campaigning"),
    ("An aggressive speech", "Campaigning"),
    ("It was a cowardly act.", "Law and Order"),
    ("He spoke like a coward.", "Campaigning"),
    ("A threatening speech", "Law and Order"),
    ("An act of aggression", "Law and Order"),
]


def test_the_six_speeches_have_a_vocabulary_of_seven_and_six_words_a_class() -> None:
    analyzer = Analyzer.of(
        stop=["like"],
        stop_language="english",
        forms={"spoke": "speech", "aggressive": "aggression", "cowardly": "coward"},
    )
    tokens = [(word, kind) for text, kind in SPEECHES for word in analyzer.tokens(text)]
    assert Counter(kind for _, kind in tokens) == {"Campaigning": 6, "Law and Order": 6}
    vocabulary = {"inspiring", "address", "aggression", "speech", "coward", "act", "threatening"}
    assert {word for word, _ in tokens} == vocabulary
    query = "An aggressive and threatening address"
    assert analyzer.tokens(query) == ["aggression", "threatening", "address"]
    times = Counter(tokens)
    campaigning = [times[word, "Campaigning"] for word in analyzer.tokens(query)]
    law = [times[word, "Law and Order"] for word in analyzer.tokens(query)]
    assert (campaigning, law) == ([1, 0, 1], [1, 1, 0])  # 1/2 · 2·1·2/13³ = 2/2197 each: a tie
