// LogitBoost's residuals and curvatures, one pass over the rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/types.hpp"

namespace frugalboost {

struct LogitLimits {
  double largest_response;    // furthest a single row may ask to go
  double smallest_curvature;  // p (1 - p) where p is told from 0 or 1 no more
};

// Label minus probability for two classes: the decision is the log odds of the second.
inline void two_class_residual(double decision, std::int64_t label, double* residual) {
  const double sign = label == 1 ? 1.0 : -1.0;
  residual[0] = sign / (1.0 + std::exp(sign * decision));
}

inline void softmax_residuals(const double* decision, std::int64_t label, std::size_t n_classes,
                              double* residual) {
  const double largest = *std::max_element(decision, decision + n_classes);
  double total = 0.0;
  for (std::size_t k = 0; k < n_classes; ++k)
    total += residual[k] = std::exp(decision[k] - largest);
  // 1 - p as the sum of the others: the difference would be 0 from p = 1 - 1e-16 on.
  double others = 0.0;
  residual[label] = 0.0;
  for (std::size_t k = 0; k < n_classes; ++k) {
    residual[k] /= -total;
    others -= residual[k];
  }
  residual[label] = others;
}

// Weight (curvature) and numerator (residual) of one row, times its scale; residual in place.
inline void weigh(double* residual, double* weight, std::size_t n_outputs, double scale,
                  LogitLimits limits) {
  for (std::size_t k = 0; k < n_outputs; ++k) {
    const double size = std::abs(residual[k]);
    // size * (1 - size) is p (1 - p). Where that is too small for the row's own step to stay
    // within the limit it is raised: cutting the residual, as the paper does, bends the gradient.
    const double curvature =
        std::max({size * (1.0 - size), size / limits.largest_response, limits.smallest_curvature});
    weight[k] = std::max(scale * curvature, std::numeric_limits<double>::min());
    residual[k] *= scale;
  }
}

// decision, weights and numerators are [n_rows][n_outputs]; n_outputs is 1 for two classes.
inline void logit_rows(const double* decision, const std::int64_t* labels, const double* scales,
                       std::size_t n_rows, std::size_t n_outputs, LogitLimits limits,
                       double* weights, double* numerators) {
  for (std::size_t i = 0; i < n_rows; ++i) {
    const std::size_t at = i * n_outputs;
    if (n_outputs == 1)
      two_class_residual(decision[at], labels[i], numerators + at);
    else
      softmax_residuals(decision + at, labels[i], n_outputs, numerators + at);
    weigh(numerators + at, weights + at, n_outputs, scales[i], limits);
  }
}

}  // namespace frugalboost
