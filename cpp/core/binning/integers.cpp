#include "core/binning/integers.hpp"

namespace frugalboost {

FRUGALBOOST_CLONES
Integers to_integers(const float* values, std::size_t n, std::int32_t* out) {
  return to_integers_inline(values, n, out);
}

FRUGALBOOST_CLONES
Integers to_integers(const double* values, std::size_t n, std::int32_t* out) {
  return to_integers_inline(values, n, out);
}

}  // namespace frugalboost
