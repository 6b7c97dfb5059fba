// LogitBoost's residuals and curvatures, one pass over the rows.
#pragma once

#include "core/rows/logit_residuals.hpp"

namespace frugalboost {

// decision, weights and numerators are [n_rows][n_outputs]; n_outputs is 1 for two classes.
void logit_rows(const double* decision, const std::int64_t* labels, const double* scales,
                std::size_t n_rows, std::size_t n_outputs, LogitLimits limits, double* weights,
                double* numerators, int n_threads = 1);

}  // namespace frugalboost
