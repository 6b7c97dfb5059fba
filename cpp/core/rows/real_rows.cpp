#include "core/rows/real_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/dispatch.hpp"
#include "core/rows/rounding.hpp"
#include "core/rows/row_updates.hpp"
#include "core/rows/squares.hpp"

namespace frugalboost {
namespace {

// Partial sums side by side: their order does not depend on the width of the registers.
constexpr std::size_t lanes = 8;

// Numbers handled at a time: they stay in the first cache between two steps.
constexpr std::size_t block = 512;

double sum_of(const double* partial) {
  double sum = 0.0;
  for (std::size_t lane = 0; lane < lanes; ++lane) sum += partial[lane];
  return sum;
}

// A block of integers: weights, numerators and their squares' shares.
struct Integers {
  explicit Integers(std::size_t n) : weights(n), numerators(n), squares(n) {}
  std::vector<Sum> weights, numerators, squares;
};

// Returns whether every number was small enough for it.
FRUGALBOOST_CLONES
bool round_block(const double* weights, const double* numerators, std::size_t n,
                 double weight_scale, double numerator_scale, Sum* fixed_weights,
                 Sum* fixed_numerators, Sum* squares) {
  Sum n_large = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double scaled = weights[i] * weight_scale, p_scaled = numerators[i] * numerator_scale;
    const double nearest = rounded(scaled);
    const double w = nearest < 1.0 ? 1.0 : nearest;
    const double p = rounded(p_scaled);
    const double square = (p * p / w) * square_correction(p);
    fixed_weights[i] = integer_of(w);
    fixed_numerators[i] = integer_of(p);
    squares[i] = integer_of(rounded_up(square));
    const double larger = scaled < square ? square : scaled, size = std::abs(p_scaled);
    n_large += (larger < size ? size : larger) < roundable ? 0 : 1;
  }
  return n_large == 0;
}

void round_any_block(const double* weights, const double* numerators, std::size_t n,
                     RealExponents exponents, Integers& out) {
  for (std::size_t i = 0; i < n; ++i) {
    const Sum w = std::max<Sum>(1, std::llrint(std::ldexp(weights[i], exponents.weight)));
    const Sum p = std::llrint(std::ldexp(numerators[i], exponents.numerator));
    out.weights[i] = w;
    out.numerators[i] = p;
    out.squares[i] = square_share(p, w);
  }
}

void write_rows(const Integers& block, std::size_t n_rows, std::size_t n_outputs, Sum* fixed,
                Sum* mass) {
  const Sum *w = block.weights.data(), *p = block.numerators.data(), *q = block.squares.data();
  if (n_outputs == 1) {
    for (std::size_t i = 0; i < n_rows; ++i) fixed[2 * i] = w[i], fixed[2 * i + 1] = p[i];
    std::copy(q, q + n_rows, mass);
    return;
  }
  for (std::size_t i = 0; i < n_rows; ++i) {
    Sum squares = 0;
    for (std::size_t k = 0; k < n_outputs; ++k) {
      fixed[k] = w[k];
      fixed[n_outputs + k] = p[k];
      squares += q[k];
    }
    mass[i] = squares;
    fixed += 2 * n_outputs, w += n_outputs, p += n_outputs, q += n_outputs;
  }
}

}  // namespace

FRUGALBOOST_CLONES
double total_of(const double* values, std::size_t n) {
  double sums[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += values[i + lane];
  for (std::size_t lane = 0; i < n; ++i, ++lane) sums[lane] += values[i];
  return sum_of(sums);
}

FRUGALBOOST_CLONES
void residual_rows(const double* prediction, const double* targets, const double* scales,
                   std::size_t n, double* weights, double* numerators) {
  constexpr double smallest = std::numeric_limits<double>::min();
  for (std::size_t i = 0; i < n; ++i) {
    weights[i] = scales[i] < smallest ? smallest : scales[i];
    numerators[i] = weights[i] * (targets[i] - prediction[i]);
  }
}

RealTotals real_totals(const double* weights, const double* numerators, std::size_t n_rows,
                       std::size_t n_outputs) {
  RealTotals totals;
  double largest = 0.0;
  for (std::size_t i = 0; i < n_rows * n_outputs; ++i)
    largest = std::max(largest, std::abs(numerators[i]));
  std::frexp(largest, &totals.shift);
  const double scale = power_of_two(-totals.shift);
  std::vector<double> weight(n_outputs, 0.0), size(n_outputs, 0.0);
  for (std::size_t i = 0; i < n_rows; ++i)
    for (std::size_t k = 0; k < n_outputs; ++k) {
      const double p = std::abs(numerators[i * n_outputs + k]);
      weight[k] += weights[i * n_outputs + k];
      size[k] += scale != 0.0 ? p * scale : std::ldexp(p, -totals.shift);
    }
  totals.weight = *std::max_element(weight.begin(), weight.end());
  totals.size = *std::max_element(size.begin(), size.end());
  return totals;
}

void real_to_fixed(const double* weights, const double* numerators, std::size_t n_rows,
                   std::size_t n_outputs, RealExponents exponents, Sum* fixed, Sum* mass) {
  const std::size_t step = std::max<std::size_t>(1, block / n_outputs);
  Integers integers(step * n_outputs);
  const double weight_scale = power_of_two(exponents.weight);
  const double numerator_scale = power_of_two(exponents.numerator);
  const bool has_scales = weight_scale != 0.0 && numerator_scale != 0.0;
  for (std::size_t begin = 0; begin < n_rows; begin += step) {
    const std::size_t n = std::min(step, n_rows - begin), at = begin * n_outputs;
    const bool done =
        has_scales &&
        round_block(weights + at, numerators + at, n * n_outputs, weight_scale, numerator_scale,
                    integers.weights.data(), integers.numerators.data(), integers.squares.data());
    if (!done) round_any_block(weights + at, numerators + at, n * n_outputs, exponents, integers);
    write_rows(integers, n, n_outputs, fixed + 2 * at, mass + begin);
  }
}

namespace {

int bits_of_sum(std::uint64_t sum) {
  int bits = 0;
  while (bits < 64 && sum >> bits != 0) ++bits;
  return bits;
}

}  // namespace

bool pack_targets(const Sum* fixed, std::size_t n_rows, std::size_t n_outputs,
                  std::vector<Sum>& packed, Problem& problem) {
  // Nothing is larger than this, so that no sum of fewer than 2^32 rows overflows unseen.
  constexpr Sum most = Sum{1} << 62;
  std::vector<double> weights(n_outputs, 0.0), sizes(n_outputs, 0.0);
  problem.largest_weight = 1;
  for (std::size_t i = 0; i < n_rows; ++i)
    for (std::size_t k = 0; k < n_outputs; ++k) {
      const Sum w = fixed[2 * i * n_outputs + k], p = fixed[(2 * i + 1) * n_outputs + k];
      if (w < 1 || w > most || p < -most || p > most) return false;
      weights[k] += static_cast<double>(w);
      sizes[k] += std::abs(static_cast<double>(p));
      problem.largest_weight = std::max(problem.largest_weight, w);
    }
  const double weight = *std::max_element(weights.begin(), weights.end());
  const double size = *std::max_element(sizes.begin(), sizes.end());
  if (weight > 0x1p62 || size > 0x1p62) return false;
  // A float sum is off by less than this share of it.
  constexpr double error = 1.0 + 0x1p-20;
  const int weight_bits = bits_of_sum(static_cast<std::uint64_t>(weight * error) + 1);
  const int size_bits = bits_of_sum(static_cast<std::uint64_t>(size * error) + 1);
  if (weight_bits + size_bits > 63) return false;
  // Numerators have the room that weights leave.
  problem.packing.bits = weight_bits;
  const std::size_t n_channels = problem.n_channels();
  packed.resize(n_rows * n_channels);
  for (std::size_t i = 0; i < n_rows; ++i) {
    Sum* to = packed.data() + i * n_channels;
    for (std::size_t k = 0; k < n_outputs; ++k)
      to[k] =
          problem.packing.pack(fixed[2 * i * n_outputs + k], fixed[(2 * i + 1) * n_outputs + k]);
    if (n_outputs > 1) to[n_outputs] = 1;
  }
  problem.weights = packed.data();
  return true;
}

void votes_to_fixed(const double* weights, std::size_t n_rows, std::size_t n_outputs, int exponent,
                    Sum* fixed, Sum* mass) {
  const std::size_t step = std::max<std::size_t>(1, block / n_outputs);
  for (std::size_t begin = 0; begin < n_rows; begin += step) {
    const std::size_t n = std::min(step, n_rows - begin);
    const Sum* row = fixed + begin * n_outputs;
    to_fixed(weights + begin * n_outputs, n * n_outputs, exponent, fixed + begin * n_outputs);
    for (std::size_t i = begin; i < begin + n; ++i, row += n_outputs) {
      Sum sum = 0;
      for (std::size_t k = 0; k < n_outputs; ++k) sum += row[k];
      mass[i] = sum;
    }
  }
}

}  // namespace frugalboost
