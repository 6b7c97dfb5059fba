"""Arrays of an `.npz` file, read without trusting it: none is larger than the file."""

from __future__ import annotations

import io
import zipfile

import numpy as np

from frugalboost._typing import AnyArray

SUFFIX = ".npy"


def read_archive(content: bytes) -> dict[str, AnyArray]:
    """The arrays by name, as `numpy.savez` has written them; a ValueError says what is wrong.

    `numpy.load` would unpack what is packed a thousandfold, and make room for an array of any
    size before it reads it.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
        if any(member.compress_type != zipfile.ZIP_STORED for member in members):
            raise ValueError("its arrays are compressed")
        if sum(member.file_size for member in members) > len(content):
            raise ValueError("its arrays are larger than the file")
        return {
            member.filename.removesuffix(SUFFIX): _read_array(archive.read(member))
            for member in members
        }


def _read_array(raw: bytes) -> AnyArray:
    file = io.BytesIO(raw)
    if np.lib.format.read_magic(file) != (1, 0):
        raise ValueError("its arrays have an unknown version")
    shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(file)
    if dtype.hasobject or is_fortran or min(shape, default=0) < 0:
        raise ValueError("it has arrays of the wrong type")
    return np.frombuffer(raw, dtype, offset=file.tell()).reshape(shape)
