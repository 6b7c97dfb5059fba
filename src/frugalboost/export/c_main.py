"""The example program at the end of a C file: rows from standard input, predictions to standard
output."""

from __future__ import annotations

from frugalboost.export.c_names import is_coded
from frugalboost.export.c_text import fill
from frugalboost.export.description import Description

MAIN = """
#ifdef UPPER_MAIN
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a text is a word of small letters, whatever the case of its own. */
static int PREFIX_is_word(const char *text, const char *word) {
    while (*text != '\\0' && *word != '\\0' && (*text | 32) == *word) ++text, ++word;
    return *text == *word;
}

/* A number, true or false, or a category's name, without the blanks around it; nothing: missing. */
static int PREFIX_read(int feature, char *text, double *value) {
    char *end = text + strlen(text);
    while (*text == ' ' || *text == '\\t') ++text;
    while (end > text && strchr(" \\t\\r\\n", end[-1]) != NULL) --end;
    *end = '\\0';
    *value = NAN;
    if (end == text) return 1;
READ_CATEGORY    (void)feature;
    if (PREFIX_is_word(text, "true") || PREFIX_is_word(text, "false")) {
        *value = PREFIX_is_word(text, "true");
        return 1;
    }
    *value = strtod(text, &end);
    return *end == '\\0';
}

static int PREFIX_read_row(char *line, double *x) {
    int feature;
    for (feature = 0; feature < PREFIX_n_features; ++feature) {
        char *comma = strchr(line, ',');
        if ((comma == NULL) != (feature == PREFIX_n_features - 1)) return 0;
        if (comma != NULL) *comma = '\\0';
        if (!PREFIX_read(feature, line, &x[feature])) return 0;
        if (comma != NULL) line = comma + 1;
    }
    return 1;
}

int main(void) {
    static char line[4096 + 64 * PREFIX_n_features];
    static double x[PREFIX_n_features];
    long row = 0;
    while (fgets(line, (int)sizeof line, stdin) != NULL) {
        ++row;
        if (!PREFIX_read_row(line, x)) {
            fprintf(stderr, "row %ld: expected %d comma-separated values\\n", row,
                    (int)PREFIX_n_features);
            return 1;
        }
PRINT    }
    return 0;
}
#endif
"""

READ_CATEGORY = """\
    if (PREFIX_n_categories[feature] > 0) {
        *value = PREFIX_category(feature, text);
        return 1;
    }
"""

PRINT_REAL = """\
        printf("%.17g\\n", PREFIX_predict(x));
"""

PRINT_CLASS = """\
        {
            double share[PREFIX_n_classes];
            int k;
            PREFIX_predict_proba(x, share);
            printf("%s", PREFIX_classes[PREFIX_predict(x)]);
            for (k = 0; k < PREFIX_n_classes; ++k) printf(",%.17g", share[k]);
            printf("\\n");
        }
"""


def write_main(model: Description, prefix: str) -> str:
    """The program, which prints each row's label and probabilities, or the predicted number."""
    text = MAIN.replace("PRINT", PRINT_REAL if model.classes is None else PRINT_CLASS)
    text = text.replace("READ_CATEGORY", READ_CATEGORY if is_coded(model) else "")
    return fill(text, prefix)
