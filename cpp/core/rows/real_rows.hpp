// Real-valued problems and votes in fixed point, in one pass over the rows each.
#pragma once

#include <vector>

#include "core/base/problem.hpp"

namespace frugalboost {

// Least squares: a row's weight is its scale, held above zero, and its numerator weight * residual.
void residual_rows(const double* prediction, const double* targets, const double* scales,
                   std::size_t n, double* weights, double* numerators, int n_threads = 1);

// Sum of numbers that are not negative, in an order that depends on n alone. Its power of two is
// that of the plain sum, number by number in eight lanes, which is how models have come by their
// scales: where rounding could tell the two apart, this is the plain one.
double total_of(const double* values, std::size_t n, int n_threads = 1);

// Integer = number * 2^exponent, rounded.
struct RealExponents {
  int weight;
  int numerator;
};

// The largest exponents with which all weights of an output stay below 2^32 in sum, and all sizes
// of its numerators below 2^31. They are those of sums row by row, whatever the threads.
RealExponents real_exponents(const double* weights, const double* numerators, std::size_t n_rows,
                             std::size_t n_outputs, int n_threads = 1);

// The largest e for which total * 2^e stays below 2^bits, by the share `spare` of it.
int largest_exponent(double total, int bits, double spare);

// weights and numerators are [n_rows][n_outputs]. Writes fixed[n_rows][2 * n_outputs], weights of
// at least 1 and then numerators, and mass[n_rows]: numerator^2 / weight in integers, each rounded
// up and summed over the outputs. Never below the true value, or least squares would not be
// monotone in the rows.
void real_to_fixed(const double* weights, const double* numerators, std::size_t n_rows,
                   std::size_t n_outputs, RealExponents exponents, Sum* fixed, Sum* mass,
                   int n_threads = 1);

// Packs fixed[n_rows][2 * n_outputs] for a problem of real targets, into `packed`, and their
// totals; returns whether the sums fit.
bool pack_targets(const Sum* fixed, std::size_t n_rows, std::size_t n_outputs,
                  std::vector<Sum>& packed, Problem& problem, int n_threads = 1);

// weights and fixed are [n_rows][n_outputs]; mass is the sum of a row's integers.
void votes_to_fixed(const double* weights, std::size_t n_rows, std::size_t n_outputs, int exponent,
                    Sum* fixed, Sum* mass, int n_threads = 1);

}  // namespace frugalboost
