"""Names of features, classes and categories in C, and the lookup of a category's code by name."""

from __future__ import annotations

from frugalboost.export import c_text
from frugalboost.export.description import Description

CATEGORY = """
double PREFIX_category(int feature, const char *name) {
    int code;
    if (feature < 0 || feature >= PREFIX_n_features) return NAN;
    for (code = 0; code < PREFIX_n_categories[feature]; ++code) {
        if (strcmp(PREFIX_categories[feature][code], name) == 0) return code;
    }
    return NAN;
}
"""


def is_coded(model: Description) -> bool:
    """Whether some feature is categorical."""
    return any(known is not None for known in model.categories)


def check_c_names(model: Description) -> None:
    """Refuse names that C would cut short: its strings end at the first NUL."""
    texts = [*model.feature_names, *model.class_texts()]
    for feature in range(model.n_features):
        texts += model.category_texts(feature)
    for text in texts:
        if "\0" in text:
            raise ValueError(
                "names of features, classes and categories must have no NUL character, "
                f"which ends a string in C; got {text!r}."
            )


def write_names(model: Description, prefix: str) -> str:
    """The tables of names, and the function that looks up a category."""
    parts = [c_text.strings(f"{prefix}_feature_names", model.feature_names, is_public=True)]
    if model.classes is not None:
        parts.append(c_text.strings(f"{prefix}_classes", model.class_texts(), is_public=True))
    if is_coded(model):
        parts += [write_categories(model, prefix), c_text.fill(CATEGORY, prefix)]
    return "\n".join(parts)


def write_categories(model: Description, prefix: str) -> str:
    """For each feature its categories in the order of their codes; none for numbers."""
    lists, pointers, sizes = [], [], []
    for feature, known in enumerate(model.categories):
        names = model.category_texts(feature)
        sizes.append(str(len(names)))
        if known is None or not names:
            pointers.append("0")
            continue
        pointers.append(f"{prefix}_categories_{feature}")
        lists.append(c_text.strings(pointers[-1], names))
    n = model.n_features
    return "\n".join(
        [
            *lists,
            c_text.table("int", f"{prefix}_n_categories", sizes, n, is_public=True),
            c_text.table("char *const *const", f"{prefix}_categories", pointers, n, is_public=True),
        ]
    )
