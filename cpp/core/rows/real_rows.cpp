#include "core/rows/real_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/dispatch.hpp"
#include "core/rows/rounding.hpp"
#include "core/rows/row_passes.hpp"
#include "core/rows/row_updates.hpp"
#include "core/rows/scales.hpp"
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

FRUGALBOOST_CLONES
double lane_sum(const double* values, std::size_t n) {
  double sums[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += values[i + lane];
  for (std::size_t lane = 0; i < n; ++i, ++lane) sums[lane] += values[i];
  return sum_of(sums);
}

// The sum of sizes times a scale.
FRUGALBOOST_CLONES
double lane_sum_of_sizes(const double* values, std::size_t n, double scale) {
  double sums[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane)
      sums[lane] += std::abs(values[i + lane]) * scale;
  for (std::size_t lane = 0; i < n; ++i, ++lane) sums[lane] += std::abs(values[i]) * scale;
  return sum_of(sums);
}

FRUGALBOOST_CLONES
double lane_largest_size(const double* values, std::size_t n) {
  double largest[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double size = std::abs(values[i + lane]);
      largest[lane] = largest[lane] < size ? size : largest[lane];
    }
  for (; i < n; ++i) largest[0] = std::max(largest[0], std::abs(values[i]));
  return *std::max_element(largest, largest + lanes);
}

// By how large a share two sums of n numbers that are not negative can differ if they add in
// different orders: each is off by a rounding, 2^-53, for each addition. Twice that, as the share
// itself is rounded.
double order_error(std::size_t n) { return static_cast<double>(n) * 0x1p-51; }

int magnitude(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return exponent;
}

FRUGALBOOST_CLONES
void residual_slice(const double* prediction, const double* targets, const double* scales,
                    std::size_t n, double* weights, double* numerators) {
  constexpr double smallest = std::numeric_limits<double>::min();
  for (std::size_t i = 0; i < n; ++i) {
    weights[i] = scales[i] < smallest ? smallest : scales[i];
    numerators[i] = weights[i] * (targets[i] - prediction[i]);
  }
}

// Of each output: the sum of the weights, and of the sizes of the numerators times 2^-shift. The
// shift puts the largest size into [0.5, 1): a sum of huge ones would leave the range of floats.
struct RealSums {
  explicit RealSums(std::size_t n_outputs) : weight(n_outputs, 0.0), size(n_outputs, 0.0) {}
  std::vector<double> weight, size;

  void add(const RealSums& other) {
    for (std::size_t k = 0; k < weight.size(); ++k) weight[k] += other.weight[k];
    for (std::size_t k = 0; k < size.size(); ++k) size[k] += other.size[k];
  }
};

void add_sums(const double* weights, const double* numerators, Range rows, int shift,
              RealSums& sums) {
  const std::size_t n_outputs = sums.weight.size();
  const double scale = power_of_two(-shift);
  for (std::size_t i = rows.begin; i < rows.end; ++i)
    for (std::size_t k = 0; k < n_outputs; ++k) {
      const double p = std::abs(numerators[i * n_outputs + k]);
      sums.weight[k] += weights[i * n_outputs + k];
      sums.size[k] += scale != 0.0 ? p * scale : std::ldexp(p, -shift);
    }
}

RealSums sums_by_parts(const double* weights, const double* numerators, std::size_t n_rows,
                       std::size_t n_outputs, int shift, int n_threads) {
  std::vector<RealSums> parts(count_parts(n_rows), RealSums(n_outputs));
  const double scale = power_of_two(-shift);
  for_parts_of_rows(n_rows, n_threads, [&](std::size_t part, std::size_t begin, std::size_t end) {
    // One after the other, each addition would wait for the last.
    if (n_outputs == 1 && scale != 0.0) {
      parts[part].weight[0] = lane_sum(weights + begin, end - begin);
      parts[part].size[0] = lane_sum_of_sizes(numerators + begin, end - begin, scale);
    } else {
      add_sums(weights, numerators, {begin, end}, shift, parts[part]);
    }
  });
  RealSums sums(n_outputs);
  for (const RealSums& part : parts) sums.add(part);
  return sums;
}

// With sums that may be larger by a factor.
RealExponents exponents_of(const RealSums& sums, std::size_t n_rows, int shift, double factor) {
  const double weight = factor * *std::max_element(sums.weight.begin(), sums.weight.end());
  const double size = factor * *std::max_element(sums.size.begin(), sums.size.end());
  // Rounding adds up to a unit a row.
  const double spare = std::ldexp(static_cast<double>(n_rows), 2 - real_weight_bits);
  return {largest_exponent(weight, real_weight_bits, spare),
          largest_exponent(size, real_size_bits, 2.0 * spare) - shift};
}

double largest_size(const double* numerators, std::size_t n, int n_threads) {
  const auto of_slice = [numerators](std::size_t begin, std::size_t end) {
    return lane_largest_size(numerators + begin, end - begin);
  };
  return join_rows(n, 1, n_threads, 0.0, of_slice,
                   [](double& all, double part) { all = std::max(all, part); });
}

}  // namespace

double total_of(const double* values, std::size_t n, int n_threads) {
  std::vector<double> parts(count_parts(n));
  for_parts_of_rows(n, n_threads, [&](std::size_t part, std::size_t begin, std::size_t end) {
    parts[part] = lane_sum(values + begin, end - begin);
  });
  double total = 0.0;
  for (double part : parts) total += part;
  const double error = total * order_error(n);
  const bool is_sure = magnitude(total - error) == magnitude(total + error);
  return is_sure ? total : lane_sum(values, n);
}

void residual_rows(const double* prediction, const double* targets, const double* scales,
                   std::size_t n, double* weights, double* numerators, int n_threads) {
  for_rows(n, 1, n_threads, [&](std::size_t begin, std::size_t end) {
    residual_slice(prediction + begin, targets + begin, scales + begin, end - begin,
                   weights + begin, numerators + begin);
  });
}

int largest_exponent(double total, int bits, double spare) {
  if (total == 0.0) return 0;
  int exponent = 0;
  double share = std::frexp(total, &exponent);
  exponent = bits - exponent;
  while (share > (1.0 - 0x1p-20) * std::max(1.0 - spare, 0x1p-6)) share /= 2.0, --exponent;
  return exponent;
}

RealExponents real_exponents(const double* weights, const double* numerators, std::size_t n_rows,
                             std::size_t n_outputs, int n_threads) {
  const int shift = magnitude(largest_size(numerators, n_rows * n_outputs, n_threads));
  RealSums sums = sums_by_parts(weights, numerators, n_rows, n_outputs, shift, n_threads);
  const double error = order_error(n_rows);
  const RealExponents few = exponents_of(sums, n_rows, shift, 1.0 - error);
  const RealExponents many = exponents_of(sums, n_rows, shift, 1.0 + error);
  if (few.weight == many.weight && few.numerator == many.numerator) return few;
  // Only the sums row by row can tell.
  sums = RealSums(n_outputs);
  add_sums(weights, numerators, {0, n_rows}, shift, sums);
  return exponents_of(sums, n_rows, shift, 1.0);
}

void real_to_fixed(const double* weights, const double* numerators, std::size_t n_rows,
                   std::size_t n_outputs, RealExponents exponents, Sum* fixed, Sum* mass,
                   int n_threads) {
  const std::size_t step = std::max<std::size_t>(1, block / n_outputs);
  const double weight_scale = power_of_two(exponents.weight);
  const double numerator_scale = power_of_two(exponents.numerator);
  const bool has_scales = weight_scale != 0.0 && numerator_scale != 0.0;
  for_rows(n_rows, n_outputs, n_threads, [&](std::size_t first, std::size_t last) {
    Integers integers(step * n_outputs);
    for (std::size_t begin = first; begin < last; begin += step) {
      const std::size_t n = std::min(step, last - begin), at = begin * n_outputs;
      const bool done =
          has_scales &&
          round_block(weights + at, numerators + at, n * n_outputs, weight_scale, numerator_scale,
                      integers.weights.data(), integers.numerators.data(), integers.squares.data());
      if (!done) round_any_block(weights + at, numerators + at, n * n_outputs, exponents, integers);
      write_rows(integers, n, n_outputs, fixed + 2 * at, mass + begin);
    }
  });
}

namespace {

int bits_of_sum(std::uint64_t sum) {
  int bits = 0;
  while (bits < 64 && sum >> bits != 0) ++bits;
  return bits;
}

// Sums in two halves: no sum of fewer than 2^32 rows can overflow unseen.
struct WideSum {
  std::uint64_t low = 0, high = 0;
  void add(std::uint64_t value) { low += value & 0xffffffffu, high += value >> 32; }
  void add(const WideSum& other) { low += other.low, high += other.high; }
  double number() const {
    return std::ldexp(static_cast<double>(high), 32) + static_cast<double>(low);
  }
  Sum exact() const { return static_cast<Sum>((high << 32) + low); }  // if it fits
};

// What decides whether targets can be packed.
struct TargetSums {
  explicit TargetSums(std::size_t n_outputs)
      : weights(n_outputs), sizes(n_outputs), numerators(n_outputs, 0) {}
  std::vector<WideSum> weights, sizes;
  std::vector<std::uint64_t> numerators;  // right if the sizes fit
  Sum largest_weight = 1;
  bool is_right = true;  // weights are positive, and nothing is too large

  void add(const TargetSums& other) {
    for (std::size_t k = 0; k < weights.size(); ++k) {
      weights[k].add(other.weights[k]);
      sizes[k].add(other.sizes[k]);
      numerators[k] += other.numerators[k];
    }
    largest_weight = std::max(largest_weight, other.largest_weight);
    is_right = is_right && other.is_right;
  }
  static double largest(const std::vector<WideSum>& sums) {
    double most = 0.0;
    for (const WideSum& sum : sums) most = std::max(most, sum.number());
    return most;
  }
};

TargetSums sums_of_targets(const Sum* fixed, Range rows, std::size_t n_outputs) {
  constexpr Sum most = Sum{1} << 62;
  TargetSums sums(n_outputs);
  for (std::size_t i = rows.begin; i < rows.end; ++i)
    for (std::size_t k = 0; k < n_outputs; ++k) {
      const Sum w = fixed[2 * i * n_outputs + k], p = fixed[(2 * i + 1) * n_outputs + k];
      if (w < 1 || w > most || p < -most || p > most) {
        sums.is_right = false;
        return sums;
      }
      sums.weights[k].add(static_cast<std::uint64_t>(w));
      sums.sizes[k].add(static_cast<std::uint64_t>(p < 0 ? -p : p));
      sums.numerators[k] += static_cast<std::uint64_t>(p);
      sums.largest_weight = std::max(sums.largest_weight, w);
    }
  return sums;
}

}  // namespace

bool pack_targets(const Sum* fixed, std::size_t n_rows, std::size_t n_outputs,
                  std::vector<Sum>& packed, Problem& problem, int n_threads) {
  const auto of_slice = [&](std::size_t begin, std::size_t end) {
    return sums_of_targets(fixed, {begin, end}, n_outputs);
  };
  const TargetSums sums = join_rows(n_rows, n_outputs, n_threads, TargetSums(n_outputs), of_slice,
                                    [](TargetSums& all, const TargetSums& part) { all.add(part); });
  problem.largest_weight = sums.largest_weight;
  const double weight = TargetSums::largest(sums.weights), size = TargetSums::largest(sums.sizes);
  if (!sums.is_right || weight > 0x1p62 || size > 0x1p62) return false;
  // A float is off by less than this share of the sum.
  constexpr double error = 1.0 + 0x1p-20;
  const int weight_bits = bits_of_sum(static_cast<std::uint64_t>(weight * error) + 1);
  const int size_bits = bits_of_sum(static_cast<std::uint64_t>(size * error) + 1);
  if (weight_bits + size_bits > 63) return false;
  // Numerators have the room that weights leave.
  problem.packing.bits = weight_bits;
  const std::size_t n_channels = problem.n_channels();
  packed.resize((n_rows + 1) * n_channels);  // with the totals behind the rows
  Sum* totals = packed.data() + n_rows * n_channels;
  for (std::size_t k = 0; k < n_outputs; ++k)
    totals[k] = problem.packing.pack(sums.weights[k].exact(), static_cast<Sum>(sums.numerators[k]));
  if (n_outputs > 1) totals[n_outputs] = static_cast<Sum>(n_rows);
  for_rows(n_rows, n_outputs, n_threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Sum* to = packed.data() + i * n_channels;
      for (std::size_t k = 0; k < n_outputs; ++k)
        to[k] =
            problem.packing.pack(fixed[2 * i * n_outputs + k], fixed[(2 * i + 1) * n_outputs + k]);
      if (n_outputs > 1) to[n_outputs] = 1;
    }
  });
  problem.weights = packed.data();
  problem.totals = totals;
  return true;
}

void votes_to_fixed(const double* weights, std::size_t n_rows, std::size_t n_outputs, int exponent,
                    Sum* fixed, Sum* mass, int n_threads) {
  const std::size_t step = std::max<std::size_t>(1, block / n_outputs);
  for_rows(n_rows, n_outputs, n_threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t begin = first; begin < last; begin += step) {
      const std::size_t n = std::min(step, last - begin);
      const Sum* row = fixed + begin * n_outputs;
      to_fixed(weights + begin * n_outputs, n * n_outputs, exponent, fixed + begin * n_outputs);
      for (std::size_t i = begin; i < begin + n; ++i, row += n_outputs) {
        Sum sum = 0;
        for (std::size_t k = 0; k < n_outputs; ++k) sum += row[k];
        mass[i] = sum;
      }
    }
  });
}

}  // namespace frugalboost
