// What a row of equal weight can add to a squared error.
#pragma once

#include "core/base/types.hpp"

namespace frugalboost {

// numerator^2 * scale, rounded up: never below the true value, or least squares would not be
// monotone in the rows. The scale is a power of two; conversion, product and this correction itself
// round by at most 2^-53 each: four of them, made good by 2^-50, which is eight.
inline Sum square_share(Sum numerator, double scale) {
  constexpr double correction = 1.0 + 0x1p-50;
  const double size = static_cast<double>(numerator);
  const double square = ((size * size) * scale) * correction;
  const Sum below = static_cast<Sum>(square);
  return below + (static_cast<double>(below) < square ? 1 : 0);
}

// numerator^2 / weight of `n` numerators, added up; `weight` is a power of two.
Sum sum_squares(const Sum* numerators, std::size_t n, Sum weight);

// The same of those whose side is set.
Sum sum_squares(const Sum* numerators, const std::uint8_t* sides, std::size_t n, Sum weight);

// Takes steps[node_of_row] from each numerator and returns the sum of what results, squared.
Sum step_down(const Sum* steps, const std::int32_t* node_of_row, std::size_t n, Sum weight,
              Sum* numerators);

}  // namespace frugalboost
