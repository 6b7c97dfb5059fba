// What a row of real targets can add to a squared error.
#pragma once

#include "core/base/types.hpp"

namespace frugalboost {

// What makes up for rounding in the square of a numerator over a weight: two conversions of the
// numerator, that of the weight, product, quotient and this correction itself are off by at most
// 2^-53 each, six of them, made good by 2^-50, which is eight. Up to 2^26 nothing is: the square is
// exact, and a quotient that is no integer is too far from one to be rounded to it.
inline double square_correction(double numerator) {
  return -0x1p26 <= numerator && numerator <= 0x1p26 ? 1.0 : 1.0 + 0x1p-50;
}

// numerator^2 / weight, rounded up: never below the true value, or least squares would not be
// monotone in the rows.
inline Sum square_share(Sum numerator, Sum weight) {
  const double size = static_cast<double>(numerator);
  const double square = (size * size / static_cast<double>(weight)) * square_correction(size);
  const Sum below = static_cast<Sum>(square);
  return below + (static_cast<double>(below) < square ? 1 : 0);
}

}  // namespace frugalboost
