#include "core/rows/residuals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/dispatch.hpp"
#include "core/rows/row_passes.hpp"
#include "core/rows/squares.hpp"

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

// `steps` are pairs by node: in fine units, and from what trees see.
FRUGALBOOST_CLONES
void step_rows(const Sum* steps, const std::int32_t* node_of_row, std::size_t n, Packing packing,
               Sum* fine, Sum* packed, Sum& sum, Sum& squares) {
  for (std::size_t i = 0; i < n; ++i) {
    const Sum* step = steps + 2 * static_cast<std::size_t>(node_of_row[i]);
    fine[i] -= step[0];
    packed[i] -= step[1];
    sum += packed[i];
    squares += square_share(packing.numerator(packed[i]), 1);
  }
}

double finite(double value) {
  constexpr double most = std::numeric_limits<double>::max();
  return std::clamp(value, -most, most);
}

}  // namespace

Residuals::Residuals(const double* targets, std::size_t n, double start, int n_threads)
    : targets_(targets), start_(start), fine_(n), packed_(n) {
  packing_.bits = bits_of_size(static_cast<double>(n));
  changes_.source = this;
  reset(n_threads);
}

void Residuals::reset(int n_threads) {
  std::vector<Totals> totals = room_for_totals(n_threads);
  // The difference of two finite numbers need not be finite; that of their halves is.
  const bool is_finite = all_rows(
      size(), n_threads, [&](std::size_t i) { return std::isfinite(targets_[i] - start_); });
  const double share = is_finite ? 1.0 : 0.5;
  const int rest = is_finite ? 0 : 1;
  const auto residual = [&](std::size_t i) { return share * targets_[i] - share * start_; };
  // A sum of floats in the order of the rows, on one thread: models have come by their units so.
  choose_units(rest + norm_bits(size(), residual, [](std::size_t) { return 1.0; }));
  for_rows(size(), 1, n_threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      fine_[i] = std::llrint(std::ldexp(residual(i), fine_exponent_ + rest));
  });
  show_anew(totals, n_threads);
  ++changes_.version;
}

// All memory is there before the first residual falls: for want of it, everything stays as it was.
void Residuals::advance(const double* values, const std::int64_t* n_samples, std::size_t n_nodes,
                        const std::int32_t* node_of_row, int n_threads) {
  std::vector<Totals> totals = room_for_totals(n_threads);
  std::vector<Sum> steps(2 * n_nodes);
  steps_.reserve(n_nodes);
  const int step_bits = norm_bits(
      n_nodes, [&](std::size_t node) { return finite(values[node]); },
      [&](std::size_t node) { return static_cast<double>(n_samples[node]); });
  const int most_bits = std::max(bits(), step_bits) + 1;
  if (most_bits + fine_exponent_ > most_fine_bits) take_units_down(most_bits, n_threads);
  const bool is_finer = exponent_for(most_bits) >= exponent_ + 3;
  const bool is_shown_anew = ++age_ >= oldest || is_finer || !fits(most_bits);
  for (std::size_t node = 0; node < n_nodes; ++node)
    steps[2 * node] = std::llrint(std::ldexp(finite(values[node]), fine_exponent_));
  if (is_shown_anew) {
    for_rows(size(), 1, n_threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        fine_[i] -= steps[2 * static_cast<std::size_t>(node_of_row[i])];
    });
    exponent_ = std::min(exponent_for(most_bits), fine_exponent_);
    show_anew(totals, n_threads);
  } else {
    step_down(steps, node_of_row, totals, n_threads);
  }
  ++changes_.version;
}

// One for each slice of the rows.
std::vector<Residuals::Totals> Residuals::room_for_totals(int n_threads) const {
  return std::vector<Totals>(shared_slices_worth(size(), rows_worth_a_thread, n_threads));
}

// Calls visit(begin, end, totals) for slices of the rows.
template <class Visit>
void Residuals::for_slices(std::vector<Totals>& totals, int n_threads, Visit&& visit) {
  parallel_shared_slices(size(), totals.size(), n_threads,
                         [&](std::size_t slice, std::size_t begin, std::size_t end) {
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

void Residuals::show_anew(std::vector<Totals>& totals, int n_threads) {
  for_slices(totals, n_threads, [&](std::size_t begin, std::size_t end, Totals& of_slice) {
    pack_rows(fine_.data() + begin, end - begin, fine_exponent_ - exponent_, packing_,
              packed_.data() + begin, of_slice.packed, of_slice.squares);
  });
  steps_.clear();
  age_ = 0;
}

// `steps` hold what each node takes in fine units; there is room for what trees see of it.
void Residuals::step_down(std::vector<Sum>& steps, const std::int32_t* node_of_row,
                          std::vector<Totals>& totals, int n_threads) {
  steps_.resize(steps.size() / 2);
  for (std::size_t node = 0; node < steps_.size(); ++node) {
    steps_[node] = shifted_down(steps[2 * node], fine_exponent_ - exponent_);
    steps[2 * node + 1] = packing_.pack(0, steps_[node]);
  }
  for_slices(totals, n_threads, [&](std::size_t begin, std::size_t end, Totals& of_slice) {
    step_rows(steps.data(), node_of_row + begin, end - begin, packing_, fine_.data() + begin,
              packed_.data() + begin, of_slice.packed, of_slice.squares);
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

void Residuals::take_units_down(int bits, int n_threads) {
  const int fall = fine_exponent_ - (first_fine_bits - bits);
  for_rows(size(), 1, n_threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      fine_[i] = fall > 62 ? 0 : shifted_down(fine_[i], fall);
  });
  fine_exponent_ -= fall;
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
