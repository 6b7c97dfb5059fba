"""C files, compiled and called."""

from __future__ import annotations

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

FLAGS = ("-Wall", "-Wextra", "-Werror", "-O2")
PLAIN, PLUS = ("cc", "-std=c99", "-pedantic"), ("c++", "-x", "c++")


def compiler(words):
    if shutil.which(words[0]) is None:
        pytest.skip(f"needs the compiler {words[0]}")
    return words


def compile_c(source, target, *options, words=PLAIN):
    """Compile, with every warning an error."""
    command = [*compiler(words), *FLAGS, *options, str(source), "-lm", "-o", str(target)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:2000]
    return target


def library_of(text, folder):
    """The text as a library."""
    source = folder / "models.c"
    source.write_text(text, encoding="ascii")
    target = compile_c(source, folder / "models.so", "-shared", "-fPIC")
    return ctypes.CDLL(str(target))


class CModel:
    """The functions of a model in a library, for arrays of rows."""

    def __init__(self, library, prefix, n_outputs, n_classes):
        self.library, self.prefix = library, prefix
        self.n_outputs, self.n_classes = n_outputs, n_classes

    def function(self, name, result=None):
        found = getattr(self.library, f"{self.prefix}_{name}")
        found.restype = result
        return found

    def predict(self, X):
        one = self.function("predict", ctypes.c_double if self.n_classes == 0 else ctypes.c_int)
        return np.array([one(pointer(row)) for row in X])

    def decision(self, X):
        return self._rows("decision", X, self.n_outputs)

    def predict_proba(self, X):
        return self._rows("predict_proba", X, self.n_classes)

    def _rows(self, name, X, width):
        one, out = self.function(name), np.full((len(X), width), np.nan)
        for row, into in zip(X, out, strict=True):
            one(pointer(row), pointer(into))
        return out


def pointer(array):
    return ctypes.c_void_p(array.ctypes.data)
