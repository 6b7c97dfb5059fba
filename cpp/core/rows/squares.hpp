// What a row of real targets can add to a squared error.
#pragma once

#include "core/base/types.hpp"

namespace frugalboost {

// numerator^2 / weight, rounded up: never below the true value, or least squares would not be
// monotone in the rows. Two conversions of the numerator, that of the weight, product, quotient and
// this correction itself round by at most 2^-53 each: six of them, made good by 2^-50, which is
// eight.
inline Sum square_share(Sum numerator, Sum weight) {
  constexpr double correction = 1.0 + 0x1p-50;
  const double size = static_cast<double>(numerator);
  const double square = (size * size / static_cast<double>(weight)) * correction;
  const Sum below = static_cast<Sum>(square);
  return below + (static_cast<double>(below) < square ? 1 : 0);
}

}  // namespace frugalboost
