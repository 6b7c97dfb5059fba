// Bits. Counts of cases are whole unless weights are not, and their logarithms are looked up.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "core/c45/table.hpp"

namespace frugalboost::c45 {

inline double log2_or_zero(double x) { return x > 0.0 ? std::log2(x) : 0.0; }

class Entropy {
 public:
  // For whole numbers up to this one.
  explicit Entropy(std::size_t largest) : bits_(largest + 1, 0.0) {
    for (std::size_t i = 1; i <= largest; ++i) {
      bits_[i] = static_cast<double>(i) * std::log2(static_cast<double>(i));
    }
  }

  // Bits to tell the parts of all cases: their total weight times the entropy.
  double of_parts(const double* weights, std::size_t n) const {
    double total = 0.0, sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      total += weights[i];
      sum += times_log(weights[i]);
    }
    return times_log(total) - sum;
  }

 private:
  double times_log(double x) const {
    if (!(x > 0.0)) return 0.0;
    if (x < static_cast<double>(bits_.size())) {
      const auto whole = static_cast<std::size_t>(x);
      if (static_cast<double>(whole) == x) return bits_[whole];
    }
    return x * std::log2(x);
  }

  std::vector<double> bits_;
};

}  // namespace frugalboost::c45
