"""From decisions to probabilities, in C."""

from __future__ import annotations

from dataclasses import dataclass

from frugalboost.export.c_text import fill, number
from frugalboost.export.description import Description, LinkForm

SIGMOID = """
static double PREFIX_sigmoid(double score) {
    return 1.0 / (1.0 + exp(-score));
}
"""

SOFTMAX = """
static void PREFIX_softmax(double *scores) {
    double top = scores[0], sum = 0.0;
    int k;
    for (k = 1; k < PREFIX_n_classes; ++k) {
        if (scores[k] > top) top = scores[k];
    }
    for (k = 0; k < PREFIX_n_classes; ++k) {
        scores[k] = exp(scores[k] - top);
        sum += scores[k];
    }
    for (k = 0; k < PREFIX_n_classes; ++k) scores[k] /= sum;
}
"""

LOG_SIGMOID = """
static double PREFIX_log_sigmoid(double score) {
    return score < 0.0 ? score - log1p(exp(score)) : -log1p(exp(-score));
}
"""

NORMALISE = """
/* Where all are 0, the class with the largest decision has everything. */
static void PREFIX_normalise(double *shares, int best) {
    double sum = 0.0;
    int k;
    for (k = 0; k < PREFIX_n_classes; ++k) sum += shares[k];
    if (sum == 0.0) shares[best] = sum = 1.0;
    for (k = 0; k < PREFIX_n_classes; ++k) shares[k] /= sum;
}
"""

TWO_CLASSES = """
void PREFIX_predict_proba(const double *x, double *out) {
    double score;
    PREFIX_decision(x, &score);
    score *= SCALE;
    out[0] = FIRST;
    out[1] = SECOND;
}
"""

MORE_CLASSES = """
void PREFIX_predict_proba(const double *x, double *out) {
    int k;
    PREFIX_decision(x, out);
    for (k = 0; k < PREFIX_n_classes; ++k) {
        const double score = SCALE * out[k];
        out[k] = EACH;
    }
    PREFIX_softmax(out);
}
"""

SEPARATE_CLASSES = """
void PREFIX_predict_proba(const double *x, double *out) {
    int k, best;
    PREFIX_decision(x, out);
    best = PREFIX_largest(out);
    for (k = 0; k < PREFIX_n_classes; ++k) {
        const double score = SCALE * out[k];
        out[k] = EACH;
    }
    PREFIX_normalise(out, best);
}
"""

VOTES = """
void PREFIX_predict_proba(const double *x, double *out) {
    PREFIX_decision(x, out);
}
"""


@dataclass(frozen=True)
class CLink:
    """The functions of a link: helpers, then its own, with placeholders for `words`."""

    helpers: tuple[str, ...]
    body: str
    words: dict[str, str]


LINKS: dict[LinkForm, CLink] = {
    "none": CLink((), "", {}),
    "sigmoid": CLink(
        (SIGMOID,),
        TWO_CLASSES,
        {"FIRST": "PREFIX_sigmoid(-score)", "SECOND": "PREFIX_sigmoid(score)"},
    ),
    "share": CLink(
        (), TWO_CLASSES, {"FIRST": "(1.0 - score) / 2.0", "SECOND": "(1.0 + score) / 2.0"}
    ),
    "softmax": CLink((SOFTMAX,), MORE_CLASSES, {"EACH": "score"}),
    "one_against_rest": CLink(
        (SOFTMAX, LOG_SIGMOID), MORE_CLASSES, {"EACH": "PREFIX_log_sigmoid(score)"}
    ),
    "shares": CLink((), VOTES, {}),
    "sigmoids": CLink((SIGMOID, NORMALISE), SEPARATE_CLASSES, {"EACH": "PREFIX_sigmoid(score)"}),
    "halves": CLink((NORMALISE,), SEPARATE_CLASSES, {"EACH": "(1.0 + score) / 2.0"}),
}


def write_link(model: Description, prefix: str) -> str:
    """The functions that compute probabilities."""
    link = LINKS[model.link]
    text = "".join(link.helpers) + link.body
    for word, meaning in {**link.words, "SCALE": number(model.scale)}.items():
        text = text.replace(word, meaning)
    return fill(text, prefix)
