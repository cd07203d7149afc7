"""A suite's own parameters of rules, in place of those that the revisions have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcptest.compliance.corpora import Corpora, Corpus
from mcptest.compliance.judging import Book


def with_own(book: Book, own: Mapping[str, Mapping[str, Any]]) -> Book:
    """The book with a suite's own parameters in each revision that has the rule and knows them."""
    if not own:
        return book
    return book._replace(corpora=Corpora({corpus.name: _corpus_with(corpus, own) for corpus in book.corpora}))


def _corpus_with(corpus: Corpus, own: Mapping[str, Mapping[str, Any]]) -> Corpus:
    demands = dict(corpus.demands)
    for rule, given in own.items():
        if rule in demands:
            known = demands[rule].expect
            taken = {key: value for key, value in given.items() if key in known}
            demands[rule] = demands[rule]._replace(expect={**known, **taken})
    return corpus._replace(demands=demands)
