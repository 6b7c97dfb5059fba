// Real-valued problems and votes in fixed point, in one pass over the rows each.
#pragma once

#include <vector>

#include "core/base/problem.hpp"

namespace frugalboost {

// Least squares: a row's weight is its scale, held above zero, and its numerator weight * residual.
void residual_rows(const double* prediction, const double* targets, const double* scales,
                   std::size_t n, double* weights, double* numerators);

// What the exponents are chosen by: the largest sum of an output's weights, and of the sizes of its
// numerators. Those are taken times 2^-shift, which puts the largest into [0.5, 1): a sum of huge
// ones would leave the range of floats. Sums are in an order that depends on the shape alone.
struct RealTotals {
  double weight = 0.0, size = 0.0;
  int shift = 0;
};
RealTotals real_totals(const double* weights, const double* numerators, std::size_t n_rows,
                       std::size_t n_outputs);

double total_of(const double* values, std::size_t n);

// Integer = number * 2^exponent, rounded.
struct RealExponents {
  int weight;
  int numerator;
};

// weights and numerators are [n_rows][n_outputs]. Writes fixed[n_rows][2 * n_outputs], weights of
// at least 1 and then numerators, and mass[n_rows]: numerator^2 / weight in integers, each rounded
// up and summed over the outputs. Never below the true value, or least squares would not be
// monotone in the rows.
void real_to_fixed(const double* weights, const double* numerators, std::size_t n_rows,
                   std::size_t n_outputs, RealExponents exponents, Sum* fixed, Sum* mass);

// Packs fixed[n_rows][2 * n_outputs] for a problem of real targets, into `packed`; returns whether
// the sums fit.
bool pack_targets(const Sum* fixed, std::size_t n_rows, std::size_t n_outputs,
                  std::vector<Sum>& packed, Problem& problem);

// weights and fixed are [n_rows][n_outputs]; mass is the sum of a row's integers.
void votes_to_fixed(const double* weights, std::size_t n_rows, std::size_t n_outputs, int exponent,
                    Sum* fixed, Sum* mass);

}  // namespace frugalboost
