"""What the words of a text are, and which words there are."""

from candide.text.analyzer import Analyzer
from candide.text.stopwords import stop_words
from candide.text.tfidf import tfidf
from candide.text.vocabulary import Vocabulary

__all__ = ["Analyzer", "Vocabulary", "stop_words", "tfidf"]
