#include "core/rows/residuals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/rows/squares.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

// The weights of all rows come to at most this power of two.
constexpr int weight_bits = 50;

// The squares start below the first and must stay below the second, where sums of weights and
// numerators are far from the end of int64.
constexpr int first_square_bits = 56, most_square_bits = 60;

// The least b with magnitude < 2^b.
int bits_of_size(double magnitude) {
  int bits = 0;
  std::frexp(magnitude, &bits);
  return bits;
}

// A b for which the root of the sum of count * value^2 is below 2^b; no square leaves the range of
// floats, whatever the values.
template <class ValueAt, class CountAt>
int norm_bits(std::size_t n, ValueAt&& value_at, CountAt&& count_at) {
  double largest = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < n; ++i)
    if (count_at(i) > 0.0) largest = std::max(largest, std::abs(value_at(i)));
  if (largest == 0.0) return std::numeric_limits<int>::min() / 4;
  for (std::size_t i = 0; i < n; ++i) {
    const double share = count_at(i) > 0.0 ? value_at(i) / largest : 0.0;
    squares += count_at(i) * share * share;
  }
  return bits_of_size(largest) + bits_of_size(std::sqrt(squares));
}

double finite(double value) {
  constexpr double most = std::numeric_limits<double>::max();
  return std::clamp(value, -most, most);
}

}  // namespace

Residuals::Residuals(const double* targets, std::size_t n, double start)
    : targets_(targets),
      start_(start),
      weight_exponent_(weight_bits - bits_of_size(static_cast<double>(n))),
      fixed_(n) {
  changes_.source = this;
  reset();
}

void Residuals::reset() {
  // The difference of two finite numbers need not be finite; that of their halves is.
  const bool is_finite = std::all_of(targets_, targets_ + size(),
                                     [&](double target) { return std::isfinite(target - start_); });
  const double share = is_finite ? 1.0 : 0.5;
  const int rest = is_finite ? 0 : 1;
  const auto residual = [&](std::size_t i) { return share * targets_[i] - share * start_; };
  choose_exponent(rest + norm_bits(size(), residual, [](std::size_t) { return 1.0; }));
  for (std::size_t i = 0; i < size(); ++i)
    fixed_[i] = std::llrint(std::ldexp(residual(i), exponent_ + rest));
  mass_ = sum_squares(fixed_.data(), size(), Sum{1} << weight_exponent_);
  steps_.clear();
  ++changes_.version;
}

void Residuals::advance(const double* values, const std::int64_t* n_samples, std::size_t n_nodes,
                        const std::int32_t* node_of_row, int n_threads) {
  const int step_bits = norm_bits(
      n_nodes, [&](std::size_t node) { return finite(values[node]); },
      [&](std::size_t node) { return static_cast<double>(n_samples[node]); });
  const int most_bits = std::max(bits(), step_bits) + 1;
  const bool is_same_scale = fits(most_bits);
  if (!is_same_scale) take_exponent_down(most_bits);
  steps_.resize(n_nodes);
  for (std::size_t node = 0; node < n_nodes; ++node)
    steps_[node] = std::llrint(std::ldexp(finite(values[node]), exponent_));
  const std::size_t n_slices = slices_worth(size(), rows_worth_a_thread, n_threads);
  std::vector<Sum> masses(n_slices);
  parallel_slices(size(), n_slices, [&](std::size_t slice, std::size_t begin, std::size_t end) {
    masses[slice] = step_down(steps_.data(), node_of_row + begin, end - begin,
                              Sum{1} << weight_exponent_, fixed_.data() + begin);
  });
  mass_ = 0;
  for (Sum mass : masses) mass_ += mass;
  if (!is_same_scale) steps_.clear();
  ++changes_.version;
}

// A b for which the root of the sum of squares is below 2^b, as numbers.
int Residuals::bits() const {
  return (bits_of_size(static_cast<double>(mass_)) + weight_exponent_ + 1) / 2 - exponent_;
}

bool Residuals::fits(int bits) const {
  return 2 * (bits + exponent_) - weight_exponent_ <= most_square_bits;
}

void Residuals::choose_exponent(int bits) {
  // Residuals that are all zero fit any scale.
  constexpr int least_bits = -2000;
  exponent_ = (first_square_bits + weight_exponent_) / 2 - std::max(bits, least_bits);
}

void Residuals::take_exponent_down(int bits) {
  const int last = exponent_;
  choose_exponent(bits);
  const int fall = last - exponent_;
  for (Sum& value : fixed_) value = fall > 62 ? 0 : (value + (Sum{1} << (fall - 1))) >> fall;
}

Problem Residuals::problem() const {
  Problem problem;
  problem.layout = Layout::real;
  problem.n_outputs = 1;
  problem.n_rows = size();
  problem.weights = fixed_.data();
  problem.equal_weight = Sum{1} << weight_exponent_;
  problem.only_numerators = true;
  problem.total_mass = mass_;
  problem.changes = &changes_;
  return problem;
}

}  // namespace frugalboost
