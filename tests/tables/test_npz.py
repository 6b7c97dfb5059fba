"""Headers of NPZ files that lie: one error that names the file and the array."""

from __future__ import annotations

import struct
import zipfile

import numpy as np
import pytest

from frugalboost.tables import open_table
from frugalboost.tables.npz import load_arrays


def array_file(shape, data=b"", descr="<f8"):
    """An .npy file with any header, whatever NumPy would write."""
    header = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def npz_file(folder, **arrays):
    path = folder / "data.npz"
    with zipfile.ZipFile(path, "w") as file:
        for name, content in arrays.items():
            file.writestr(f"{name}.npy", content)
    return path


@pytest.mark.parametrize("columns", [3, 10**18])
def test_a_table_without_rows_is_refused_before_its_columns_get_names(tmp_path, columns):
    path = npz_file(tmp_path, X=array_file((0, columns)), y=array_file((0,)))
    with pytest.raises(ValueError, match="must have at least one row; it has none") as refused:
        open_table(path)
    assert str(refused.value).startswith(f"{path} must")
    assert str(refused.value).endswith(f"Its array 'X' has the shape (0, {columns}).")


@pytest.mark.parametrize("rows", [3, 2**40])
def test_a_table_without_columns_is_refused(tmp_path, rows):
    path = npz_file(tmp_path, X=array_file((rows, 0)), y=array_file((rows, 0)))
    with pytest.raises(ValueError, match="must have a column to learn from; it has") as refused:
        open_table(path)
    assert str(refused.value).startswith(f"{path} must")
    assert str(refused.value).endswith(f"Its array 'X' has the shape ({rows}, 0).")


BROKEN = {
    "bool": array_file((True, 2), b"\0" * 16),
    "dashes": array_file((1, 2), b"\0" * 16, descr="-" * 9000),
    "negative": array_file((-1, 2), b"\0" * 16),
    "beyond memory": array_file((2**58,)),
    "too short": array_file((4, 2), b"\0" * 16),
    "cut header": array_file((1, 2))[:30],
    "nested": array_file("(" * 5000),
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_damaged_array_is_named_with_its_file(tmp_path, broken):
    path = npz_file(tmp_path, X=array_file((1, 2), b"\0" * 16), y=broken)
    with pytest.raises(ValueError, match=r"cannot be read: its array 'y': \S") as refused:
        open_table(path)
    assert str(refused.value).startswith(f"{path} cannot be read")
    assert len(str(refused.value)) < len(str(path)) + 300  # NumPy repeats all of the dashes


def test_an_array_that_is_locked_is_named(tmp_path):
    path = npz_file(tmp_path, X=array_file((1, 2), b"\0" * 16))
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1  # the flag of an encrypted file
    path.write_bytes(bytes(content))
    with pytest.raises(ValueError, match=r"cannot be read: its array 'X': .*encrypted"):
        open_table(path)


def test_sound_arrays_are_read(tmp_path):
    path = tmp_path / "data.npz"
    np.savez(path, X=np.arange(6.0).reshape(3, 2), empty=np.zeros((0, 5)))
    assert open_table(path).names == ["x0", "x1"]
    assert load_arrays(path)["empty"].shape == (0, 5)
