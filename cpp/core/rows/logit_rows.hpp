// LogitBoost's residuals and curvatures, one pass over the rows.
#pragma once

#include "core/base/types.hpp"

namespace frugalboost {

struct LogitLimits {
  double largest_response;    // furthest a single row may ask to go
  double smallest_curvature;  // p (1 - p) where p is told from 0 or 1 no more
};

// decision, weights and numerators are [n_rows][n_outputs]; n_outputs is 1 for two classes.
void logit_rows(const double* decision, const std::int64_t* labels, const double* scales,
                std::size_t n_rows, std::size_t n_outputs, LogitLimits limits, double* weights,
                double* numerators);

}  // namespace frugalboost
