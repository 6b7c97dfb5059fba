// Weights that are functions of margins, from the scores in one go.
#pragma once

#include "core/base/types.hpp"

namespace frugalboost {

// Weight of a pair of a row and a class by its margin m: exp(-m), min(1, exp(-m)), 1 / (1 +
// exp(m)).
enum class PairWeight : std::int8_t { exponential, truncated, logistic };

// Out of scale exp(log_weight - base), scale being by row. The base is the largest logarithm cut
// down to a multiple of `weight_band`, so that it rarely changes, and with it weights that should
// not. Arrays are [n_rows][n_outputs]; `weights` may be `log_weights`.
void exponential_weights(const double* log_weights, const double* scales, std::size_t n_rows,
                         std::size_t n_outputs, double* weights, int n_threads = 1);

// The same from scores and labels. A margin is the score of the row's own class, and minus the
// score of the others; with one output the score is for class 1 and against class 0.
void pair_weights(const double* scores, const std::int64_t* labels, const double* scales,
                  std::size_t n_rows, std::size_t n_outputs, PairWeight kind, double* weights,
                  int n_threads = 1);

// Minus infinity if there is none.
double largest_of(const double* values, std::size_t n, int n_threads = 1);

}  // namespace frugalboost
