"""A model as a single C file."""

from __future__ import annotations

import re
from typing import Any

from frugalboost._version import __version__
from frugalboost.export import c_text
from frugalboost.export.c_links import write_link
from frugalboost.export.c_main import write_main
from frugalboost.export.c_names import check_c_names, is_coded, write_names
from frugalboost.export.c_tables import write_tables
from frugalboost.export.c_walk import write_predict, write_walk
from frugalboost.export.description import Description

SHOWN = 8
"""Number of a feature's categories that the comment lists; the table has all."""

HEAD = """\
/* {about}
 * Digest: {digest}
 *
 * PREFIX_predict takes {n_features} numbers, in this order:
{features}
 * A missing value is NAN, and so is a category that is not listed.
 *
 * Needs nothing but C99 and its mathematics (-lm), and compiles as C++ as well. Not with
 * -ffast-math, which takes NAN for a number. With UPPER_HEADER defined, only the declarations are
 * left, for other files to include. With UPPER_MAIN defined, there is a program that reads rows
 * of comma-separated values, categories by their names, from its standard input:
 *
 *     cc -std=c99 -O2 -DUPPER_MAIN THIS_FILE -lm -o predict && ./predict < rows.csv
 */
"""

DECLARATIONS = """
#ifdef __cplusplus
extern "C" {
#endif

enum { SIZES };

extern const char *const PREFIX_feature_names[PREFIX_n_features];
DECLARED
#ifdef __cplusplus
}
#endif
"""

CLASSES = """\
extern const char *const PREFIX_classes[PREFIX_n_classes];

/* Number of the predicted class, whose name is in PREFIX_classes. */
int PREFIX_predict(const double *x);

/* Probabilities of the PREFIX_n_classes classes. */
void PREFIX_predict_proba(const double *x, double *out);

/* What the trees say, PREFIX_n_outputs numbers; a single one is positive for the second class. */
void PREFIX_decision(const double *x, double *out);
"""

REAL = """
double PREFIX_predict(const double *x);

/* The same, to *out. */
void PREFIX_decision(const double *x, double *out);
"""

CATEGORIES = """
/* Code of a category by its name; NAN if the feature has none of that name. */
double PREFIX_category(int feature, const char *name);

/* How many categories each feature has, and their names in the order of their codes. */
extern const int PREFIX_n_categories[PREFIX_n_features];
extern const char *const *const PREFIX_categories[PREFIX_n_features];
"""


def c_model(model: Description, prefix: Any) -> str:
    """The model as the text of a C file."""
    if not isinstance(prefix, str) or not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", prefix):
        raise ValueError(
            f"prefix must be letters, digits and underscores, with a letter first; got {prefix!r}."
        )
    check_c_names(model)
    parts = [
        head(model, prefix),
        "#include <math.h>\n" + ("#include <string.h>\n" if is_coded(model) else ""),
        declarations(model, prefix),
        c_text.fill("#ifndef UPPER_HEADER\n", prefix),
        write_tables(model, prefix),
        write_names(model, prefix),
        write_walk(model, prefix),
        write_predict(model, prefix),
        write_link(model, prefix),
        write_main(model, prefix),
        "#endif\n",
    ]
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def head(model: Description, prefix: str) -> str:
    """The comment at the top."""
    trees = f"{len(model.trees)} trees"
    return c_text.fill(HEAD, prefix).format(
        about=f"{model.estimator} ({model.rule}) of frugalboost {__version__}, {trees}.",
        digest=model.digest,
        n_features=model.n_features,
        features="\n".join(f" *     {line}" for line in feature_lines(model)),
    )


def feature_lines(model: Description) -> list[str]:
    """Each feature with its place in x, and its categories with their codes."""
    lines = []
    for feature, name in enumerate(model.feature_names):
        line = f"[{feature}] {name}"
        if model.categories[feature] is not None:
            texts = model.category_texts(feature)
            codes = ", ".join(f"{code} = {text}" for code, text in enumerate(texts[:SHOWN]))
            line += f": {codes}" + (f", ... ({len(texts)})" if len(texts) > SHOWN else "")
        lines.append(c_text.in_comment(line))
    return lines


def declarations(model: Description, prefix: str) -> str:
    """Declarations for other files to use."""
    sizes = {"n_features": model.n_features, "n_outputs": model.n_outputs}
    if model.classes is not None:
        sizes["n_classes"] = len(model.classes)
    declared = REAL if model.classes is None else CLASSES
    if is_coded(model):
        declared += CATEGORIES
    named = ", ".join(f"PREFIX_{name} = {size}" for name, size in sizes.items())
    text = DECLARATIONS.replace("DECLARED", declared).replace("SIZES", named)
    return c_text.fill(text, prefix)
