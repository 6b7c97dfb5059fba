// Errors to be expected of a leaf beyond those it made on its cases.
#pragma once

#include <cmath>
#include <cstddef>

namespace frugalboost::c45 {

class ExtraErrors {
 public:
  explicit ExtraErrors(double confidence)
      : log_confidence_(std::log(confidence)), z2_(squared_deviation(confidence)) {}

  double operator()(double n, double errors) const {
    if (errors < 1e-6) return n > 0.0 ? of_none(n) : 0.0;
    if (errors < 0.9999) {  // between none and one by a straight line
      const double none = of_none(n);
      return none + errors * ((*this)(n, 1.0) - none);
    }
    if (errors + 0.5 >= n) return 0.67 * (n - errors);
    const double half_more = errors + 0.5;
    const double root = std::sqrt(z2_ * (half_more * (1 - half_more / n) + z2_ / 4));
    return n * ((half_more + z2_ / 2 + root) / (n + z2_)) - errors;
  }

 private:
  double of_none(double n) const { return n * (1 - std::exp(log_confidence_ / n)); }

  // Of a normal variable that exceeds it with this probability, by C4.5's table.
  static double squared_deviation(double confidence) {
    constexpr double chance[] = {0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00};
    constexpr double deviation[] = {4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00};
    std::size_t i = 1;
    while (confidence > chance[i]) ++i;
    const double between = deviation[i - 1] + (deviation[i] - deviation[i - 1]) *
                                                  (confidence - chance[i - 1]) /
                                                  (chance[i] - chance[i - 1]);
    return between * between;
  }

  double log_confidence_, z2_;
};

}  // namespace frugalboost::c45
