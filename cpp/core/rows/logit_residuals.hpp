// LogitBoost's rows: label minus probability as top / bottom, and what a row weighs.
#pragma once

#include <algorithm>

#include "core/base/kernel_parts.hpp"
#include "core/base/types.hpp"

namespace frugalboost {

struct LogitLimits {
  double largest_response;    // furthest a single row may ask to go
  double smallest_curvature;  // p (1 - p) where p is told from 0 or 1 no more
};

// Two classes; the decision is the log odds of the second.
void two_class_residuals(const double* decision, const std::uint8_t* labels, std::size_t n,
                         double* top, double* bottom);
void two_class_residuals(const double* decision, const std::int64_t* labels, std::size_t n,
                         double* top, double* bottom);

// Several classes: decision, top and bottom are [n_rows][n_outputs].
void softmax_residuals(const double* decision, const Row* labels, std::size_t n_rows,
                       std::size_t n_outputs, double* top, double* bottom);
void softmax_residuals(const double* decision, const std::int64_t* labels, std::size_t n_rows,
                       std::size_t n_outputs, double* top, double* bottom);

// Of a residual of this size; `per_response` is 1 over the largest response. size * (1 - size) is
// p (1 - p). Where that is too small for the row's own step to stay within the limit it is raised:
// cutting the residual, as the paper does, bends the gradient.
FRUGALBOOST_PART double curvature_of(double size, double per_response, double smallest_curvature) {
  double curvature = size * (1.0 - size);
  curvature = std::max(curvature, size * per_response);
  return std::max(curvature, smallest_curvature);
}

}  // namespace frugalboost
