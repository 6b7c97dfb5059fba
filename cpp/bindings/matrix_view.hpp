// Tables of any numeric type and any strides, read in place.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "core/binning/raw_table.hpp"

namespace frugalboost {

using AnyMatrix = nanobind::ndarray<nanobind::ro, nanobind::ndim<2>, nanobind::device::cpu>;

inline Scalar scalar_of(nanobind::dlpack::dtype type) {
  namespace nb = nanobind;
  if (type == nb::dtype<float>()) return Scalar::f32;
  if (type == nb::dtype<double>()) return Scalar::f64;
  if (type == nb::dtype<std::int8_t>()) return Scalar::i8;
  if (type == nb::dtype<std::int16_t>()) return Scalar::i16;
  if (type == nb::dtype<std::int32_t>()) return Scalar::i32;
  if (type == nb::dtype<std::int64_t>()) return Scalar::i64;
  if (type == nb::dtype<std::uint8_t>() || type == nb::dtype<bool>()) return Scalar::u8;
  if (type == nb::dtype<std::uint16_t>()) return Scalar::u16;
  if (type == nb::dtype<std::uint32_t>()) return Scalar::u32;
  if (type == nb::dtype<std::uint64_t>()) return Scalar::u64;
  throw nb::type_error("dtype must be bool, float32, float64 or an integer of 8 to 64 bits");
}

inline MatrixView view_of(const AnyMatrix& matrix) {
  const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(matrix.itemsize());
  return {static_cast<const char*>(matrix.data()),
          matrix.shape(0),
          matrix.shape(1),
          matrix.stride(0) * size,
          matrix.stride(1) * size,
          scalar_of(matrix.dtype())};
}

}  // namespace frugalboost
