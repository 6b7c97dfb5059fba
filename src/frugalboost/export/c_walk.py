"""Traversal of the trees, and labels, in C."""

from __future__ import annotations

from frugalboost.export.c_tables import has_own_outputs, has_sets
from frugalboost.export.c_text import fill, number
from frugalboost.export.description import Description

HOLDS = """
/* Whether a category goes left. One that the set does not know goes with the missing values. */
static int PREFIX_holds(int set, double code, int unknown) {
    unsigned bit;
    if (!(code >= 0.0 && code < PREFIX_set_size[set])) return unknown;
    bit = (unsigned)code;
    return (PREFIX_set_bits[PREFIX_set_start[set] + (int)(bit / 8)] >> (bit % 8)) & 1;
}
"""

GOES_LEFT = """
static int PREFIX_goes_left(int node, const double *x) {
    const int missing_left = PREFIX_question[node] & 1;
    const double value = x[PREFIX_question[node] >> 1];
    if (value != value) return missing_left;
ASK_SET    return value <= PREFIX_threshold[node];
}
"""

ASK_SET = """\
    if (PREFIX_set[node] >= 0) return PREFIX_holds(PREFIX_set[node], value, missing_left);
"""

ROW = """
/* Row of the values that a tree says about x. */
static int PREFIX_row(int tree, const double *x) {
    const int first = PREFIX_first_node[tree];
    int at = first < PREFIX_first_node[tree + 1] ? 0 : -1; /* -1: a tree of one leaf */
    while (at >= 0) {
        const int node = first + at;
        at = PREFIX_goes_left(node, x) ? PREFIX_left[node] : PREFIX_right[node];
    }
    return PREFIX_first_row[tree] - 1 - at;
}
"""

DECISION = """
void PREFIX_decision(const double *x, double *out) {
    int tree, k;
    for (k = 0; k < PREFIX_n_outputs; ++k) out[k] = BASELINE;
    for (tree = 0; tree < N_TREES; ++tree) {
ADD
    }
DIVIDE}
"""

ADD_ONE = "        out[PREFIX_output[tree]] += PREFIX_value[PREFIX_row(tree, x)];"
ADD_ALL = """\
        const double *value = PREFIX_value + PREFIX_n_outputs * PREFIX_row(tree, x);
        for (k = 0; k < PREFIX_n_outputs; ++k) out[k] += value[k];"""
DIVIDE = "    for (k = 0; k < PREFIX_n_outputs; ++k) out[k] /= PREFIX_divisor[k];\n"

LARGEST = """
/* The first of the largest. */
static int PREFIX_largest(const double *scores) {
    int k, best = 0;
    for (k = 1; k < PREFIX_n_classes; ++k) {
        if (scores[k] > scores[best]) best = k;
    }
    return best;
}
"""

PREDICT_REAL = """
double PREFIX_predict(const double *x) {
    double out;
    PREFIX_decision(x, &out);
    return out;
}
"""

PREDICT_TWO = """
int PREFIX_predict(const double *x) {
    double out;
    PREFIX_decision(x, &out);
    return out > 0.0;
}
"""

PREDICT_MORE = """
int PREFIX_predict(const double *x) {
    double out[PREFIX_n_classes];
    PREFIX_decision(x, out);
    return PREFIX_largest(out);
}
"""


def write_walk(model: Description, prefix: str) -> str:
    """The functions that map x to decisions."""
    asks = has_sets(model)
    decision = DECISION.replace("ADD", ADD_ONE if has_own_outputs(model) else ADD_ALL)
    decision = decision.replace("DIVIDE", DIVIDE if model.is_divided else "")
    decision = decision.replace("BASELINE", number(model.baseline))
    decision = decision.replace("N_TREES", str(len(model.trees)))
    ask = GOES_LEFT.replace("ASK_SET", ASK_SET if asks else "")
    return fill((HOLDS if asks else "") + ask + ROW + decision, prefix)


def write_predict(model: Description, prefix: str) -> str:
    """The function that maps x to its label, or to the predicted number."""
    if model.classes is None:
        return fill(PREDICT_REAL, prefix)
    return fill(PREDICT_TWO if model.n_outputs == 1 else LARGEST + PREDICT_MORE, prefix)
