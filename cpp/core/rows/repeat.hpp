// A number for each row as one for each output of a row.
#pragma once

#include <cstddef>

namespace frugalboost {

// Returns values[i] repeated `times` each, in `scratch` if need be.
inline const double* repeat(const double* values, std::size_t n, std::size_t times,
                            double* scratch) {
  if (times == 1) return values;
  double* out = scratch;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < times; ++k) *out++ = values[i];
  return scratch;
}

}  // namespace frugalboost
