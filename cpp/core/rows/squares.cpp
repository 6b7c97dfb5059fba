#include "core/rows/squares.hpp"

#include "core/base/dispatch.hpp"

namespace frugalboost {

FRUGALBOOST_CLONES
Sum sum_squares(const Sum* numerators, std::size_t n, Sum weight) {
  const double scale = 1.0 / static_cast<double>(weight);
  Sum sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += square_share(numerators[i], scale);
  return sum;
}

FRUGALBOOST_CLONES
Sum sum_squares(const Sum* numerators, const std::uint8_t* sides, std::size_t n, Sum weight) {
  const double scale = 1.0 / static_cast<double>(weight);
  Sum sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    sum += square_share(numerators[i], scale) & -static_cast<Sum>(sides[i]);
  return sum;
}

FRUGALBOOST_CLONES
Sum step_down(const Sum* steps, const std::int32_t* node_of_row, std::size_t n, Sum weight,
              Sum* numerators) {
  const double scale = 1.0 / static_cast<double>(weight);
  Sum sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Sum numerator = numerators[i] - steps[node_of_row[i]];
    numerators[i] = numerator;
    sum += square_share(numerator, scale);
  }
  return sum;
}

}  // namespace frugalboost
