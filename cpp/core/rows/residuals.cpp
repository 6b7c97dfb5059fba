#include "core/rows/residuals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/dispatch.hpp"
#include "core/rows/squares.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

// Squares of what trees see start below the first power of two and must stay below the second.
constexpr int first_square_bits = 56, most_square_bits = 60;

// The same for the root of the squares in fine units.
constexpr int first_fine_bits = 57, most_fine_bits = 60;

// Trees see residuals that are off by half a unit for each round since they were shown anew.
constexpr int oldest = 16;

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

// Rounded to nearest.
inline Sum shifted_down(Sum value, int shift) {
  return shift == 0 ? value : (value + (Sum{1} << (shift - 1))) >> shift;
}

// Both add what trees see to the sums.
FRUGALBOOST_CLONES
void pack_rows(const Sum* fine, std::size_t n, int shift, Packing packing, Sum* packed, Sum& sum,
               Sum& squares) {
  for (std::size_t i = 0; i < n; ++i) {
    const Sum residual = shifted_down(fine[i], shift);
    packed[i] = packing.pack(1, residual);
    sum += packed[i];
    squares += square_share(residual, 1);
  }
}

struct Step {
  Sum fine, packed;
};

FRUGALBOOST_CLONES
void step_rows(const Step* steps, const std::int32_t* node_of_row, std::size_t n, Packing packing,
               Sum* fine, Sum* packed, Sum& sum, Sum& squares) {
  for (std::size_t i = 0; i < n; ++i) {
    const Step step = steps[node_of_row[i]];
    fine[i] -= step.fine;
    packed[i] -= step.packed;
    sum += packed[i];
    squares += square_share(packing.numerator(packed[i]), 1);
  }
}

double finite(double value) {
  constexpr double most = std::numeric_limits<double>::max();
  return std::clamp(value, -most, most);
}

}  // namespace

Residuals::Residuals(const double* targets, std::size_t n, double start)
    : targets_(targets), start_(start), fine_(n), packed_(n) {
  packing_.bits = bits_of_size(static_cast<double>(n));
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
  choose_units(rest + norm_bits(size(), residual, [](std::size_t) { return 1.0; }));
  for (std::size_t i = 0; i < size(); ++i)
    fine_[i] = std::llrint(std::ldexp(residual(i), fine_exponent_ + rest));
  show_anew(1);
  ++changes_.version;
}

void Residuals::advance(const double* values, const std::int64_t* n_samples, std::size_t n_nodes,
                        const std::int32_t* node_of_row, int n_threads) {
  const int step_bits = norm_bits(
      n_nodes, [&](std::size_t node) { return finite(values[node]); },
      [&](std::size_t node) { return static_cast<double>(n_samples[node]); });
  const int most_bits = std::max(bits(), step_bits) + 1;
  if (most_bits + fine_exponent_ > most_fine_bits) take_units_down(most_bits);
  const bool is_finer = exponent_for(most_bits) >= exponent_ + 3;
  const bool is_shown_anew = ++age_ >= oldest || is_finer || !fits(most_bits);
  std::vector<Sum> fine_steps(n_nodes);
  for (std::size_t node = 0; node < n_nodes; ++node)
    fine_steps[node] = std::llrint(std::ldexp(finite(values[node]), fine_exponent_));
  if (is_shown_anew) {
    for_rows(n_threads, [&](std::size_t begin, std::size_t end, Totals&) {
      for (std::size_t i = begin; i < end; ++i) fine_[i] -= fine_steps[node_of_row[i]];
    });
    exponent_ = std::min(exponent_for(most_bits), fine_exponent_);
    show_anew(n_threads);
  } else {
    step_down(fine_steps, node_of_row, n_threads);
  }
  ++changes_.version;
}

// Calls visit(begin, end, totals) for parts of the rows.
template <class Visit>
void Residuals::for_rows(int n_threads, Visit&& visit) {
  const std::size_t n_slices = slices_worth(size(), rows_worth_a_thread, n_threads);
  std::vector<Totals> totals(n_slices);
  parallel_slices(size(), n_slices, [&](std::size_t slice, std::size_t begin, std::size_t end) {
    Totals of_slice;
    visit(begin, end, of_slice);
    totals[slice] = of_slice;
  });
  totals_ = {};
  for (const Totals& part : totals) {
    totals_.packed += part.packed;
    totals_.squares += part.squares;
  }
}

void Residuals::show_anew(int n_threads) {
  for_rows(n_threads, [&](std::size_t begin, std::size_t end, Totals& totals) {
    pack_rows(fine_.data() + begin, end - begin, fine_exponent_ - exponent_, packing_,
              packed_.data() + begin, totals.packed, totals.squares);
  });
  steps_.clear();
  age_ = 0;
}

void Residuals::step_down(const std::vector<Sum>& fine_steps, const std::int32_t* node_of_row,
                          int n_threads) {
  const std::size_t n_nodes = fine_steps.size();
  std::vector<Step> taken(n_nodes);
  steps_.resize(n_nodes);
  for (std::size_t node = 0; node < n_nodes; ++node) {
    steps_[node] = shifted_down(fine_steps[node], fine_exponent_ - exponent_);
    taken[node] = {fine_steps[node], packing_.pack(0, steps_[node])};
  }
  for_rows(n_threads, [&](std::size_t begin, std::size_t end, Totals& totals) {
    step_rows(taken.data(), node_of_row + begin, end - begin, packing_, fine_.data() + begin,
              packed_.data() + begin, totals.packed, totals.squares);
  });
}

// A b for which the root of the sum of squares is below 2^b, as numbers. What trees see is off by
// some units.
int Residuals::bits() const {
  const int drift = (packing_.bits + 1) / 2 + 4;  // of n residuals that are off by 16 units each
  const int root = (bits_of_size(static_cast<double>(totals_.squares)) + 1) / 2;
  return std::max(root, drift) + (root - drift < 8 ? 1 : 0) - exponent_;
}

// With a root of the squares below 2^b, the sizes of n residuals add up to at most sqrt(n) 2^b.
bool Residuals::fits(int bits) const {
  const int size_bits = bits + exponent_ + (packing_.bits + 1) / 2;
  return 2 * (bits + exponent_) <= most_square_bits && size_bits <= 62 - packing_.bits;
}

int Residuals::exponent_for(int bits) const {
  constexpr int spare = (most_square_bits - first_square_bits) / 2;
  const int by_squares = first_square_bits / 2 - bits;
  const int by_sizes = 62 - packing_.bits - spare - (packing_.bits + 1) / 2 - bits;
  return std::min(by_squares, by_sizes);
}

void Residuals::choose_units(int bits) {
  constexpr int least_bits = -2000;  // residuals that are all zero fit any scale
  fine_exponent_ = first_fine_bits - std::max(bits, least_bits);
  exponent_ = std::min(exponent_for(std::max(bits, least_bits)), fine_exponent_);
}

void Residuals::take_units_down(int bits) {
  const int fall = fine_exponent_ - (first_fine_bits - bits);
  fine_exponent_ -= fall;
  for (Sum& value : fine_) value = fall > 62 ? 0 : shifted_down(value, fall);
  exponent_ = std::numeric_limits<int>::min() / 4;  // shown anew in any case
}

Problem Residuals::problem() const {
  Problem problem;
  problem.layout = Layout::real;
  problem.n_outputs = 1;
  problem.n_rows = size();
  problem.weights = packed_.data();
  problem.packing = packing_;
  problem.largest_weight = 1;
  problem.total_mass = totals_.squares;
  problem.totals = &totals_.packed;
  problem.changes = &changes_;
  return problem;
}

}  // namespace frugalboost
