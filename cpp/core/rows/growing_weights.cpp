#include "core/rows/growing_weights.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "core/rows/exponential.hpp"
#include "core/rows/pair_rows.hpp"
#include "core/rows/row_passes.hpp"
#include "core/rows/scales.hpp"
#include "core/threads/lists.hpp"

namespace frugalboost {
namespace {

// A zero weight would take the row out of the leaf that holds it.
constexpr double smallest_weight = std::numeric_limits<double>::min();

std::uint64_t mass_of(Sum fixed) { return static_cast<std::uint64_t>(fixed < 0 ? -fixed : fixed); }

int magnitude(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return exponent;
}

}  // namespace

GrowingWeights::GrowingWeights(const Row* labels, const double* sample_weight, std::size_t n,
                               int n_classes, int n_threads)
    : labels_(labels),
      sample_weight_(sample_weight),
      n_(n),
      n_classes_(n_classes),
      n_threads_(n_threads) {
  start();
}

GrowingWeights::GrowingWeights(const std::uint8_t* labels, const double* sample_weight,
                               std::size_t n, int n_threads)
    : two_labels_(labels),
      sample_weight_(sample_weight),
      n_(n),
      n_classes_(2),
      n_threads_(n_threads) {
  start();
}

void GrowingWeights::start() {
  // Scaled by a power of two, hence exactly, so that the largest sample weight is in [1, 2).
  if (sample_weight_ != nullptr && n_ > 0)
    sample_scale_ = std::ldexp(1.0, 1 - magnitude(largest_of(sample_weight_, n_, n_threads_)));
  changes_.source = this;
  log_weight_.resize(n_);
  fixed_.resize(n_);
  // From now on a weight keeps its sign.
  with_labels([&](const auto* labels) {
    for_parts(n_, [&](Part&, std::size_t first, std::size_t n) {
      for (std::size_t row = first; row < first + n; ++row)
        fixed_[row] = n_classes_ == 2 && labels[row] == 0 ? -1 : 1;
    });
  });
  reset();
}

void GrowingWeights::reset() {
  for_parts(n_, [&](Part&, std::size_t first, std::size_t n) {
    std::fill_n(log_weight_.begin() + static_cast<std::ptrdiff_t>(first), n, 0.0);
  });
  convert_all();
  ++changes_.version;
}

void GrowingWeights::advance(const double* rise, std::size_t n_nodes,
                             const std::int32_t* node_of_row, int n_threads) {
  ++changes_.version;
  changes_.all = true;  // until they are listed: memory may run out
  n_threads_ = n_threads;
  const bool all_rise = std::count(rise, rise + n_nodes * n_classes_, 0.0) == 0;
  bool is_converted = false;
  with_labels([&](const auto* labels) {
    if (all_rise) return raise_all(labels, rise, node_of_row);
    list_changes(labels, rise, n_nodes, node_of_row);
    is_converted = raise_changed(labels, rise, node_of_row);
  });
  if (!is_converted) convert_all();
}

template <class Use>
void GrowingWeights::with_labels(Use&& use) const {
  two_labels_ != nullptr ? use(two_labels_) : use(labels_);
}

// Calls body(part, first, n) for parts of n rows. Where they end does not depend on the threads,
// so that sums of floats over parts do not, either.
template <class Body>
void GrowingWeights::for_parts(std::size_t n, Body&& body) {
  parts_.assign(count_parts(n), {});
  for_parts_of_rows(n, n_threads_, [&](std::size_t part, std::size_t begin, std::size_t end) {
    body(parts_[part], begin, end - begin);
  });
}

template <class Label>
void GrowingWeights::raise_all(const Label* labels, const double* rise,
                               const std::int32_t* node_of_row) {
  for_parts(n_, [&](Part&, std::size_t first, std::size_t n) {
    for (std::size_t row = first; row < first + n; ++row)
      log_weight_[row] +=
          rise[static_cast<std::size_t>(node_of_row[row]) * n_classes_ + labels[row]];
  });
}

template <class Label>
void GrowingWeights::list_changes(const Label* labels, const double* rise, std::size_t n_nodes,
                                  const std::int32_t* node_of_row) {
  is_change_.resize(n_nodes * n_classes_);
  for (std::size_t i = 0; i < is_change_.size(); ++i) is_change_[i] = rise[i] != 0.0;
  const std::uint8_t* is_change = is_change_.data();
  const std::size_t n_classes = n_classes_;
  const auto is_changed = [=](std::size_t row) {
    return is_change[static_cast<std::size_t>(node_of_row[row]) * n_classes + labels[row]];
  };
  n_changed_ = list_numbers(n_, slices_worth(n_, 2 * rows_of_a_part, n_threads_), is_changed,
                            changed_, changed_aside_);
}

// Raises the changed rows and converts them; returns whether all others can stay as they are.
template <class Label>
bool GrowingWeights::raise_changed(const Label* labels, const double* rise,
                                   const std::int32_t* node_of_row) {
  const bool are_listed =
      static_cast<double>(n_changed_) <= Changes::largest_share * static_cast<double>(n_);
  Sum* amounts = are_listed ? amounts_.room_for(n_) : nullptr;
  for_parts(n_changed_, [&](Part& part, std::size_t first, std::size_t n) {
    std::array<double, rows_of_a_part> logs;
    const Row* changed = changed_.data() + first;
    part.highest = base_;
    for (std::size_t i = 0; i < n; ++i) {
      const Row row = changed[i];
      const std::size_t entry = static_cast<std::size_t>(node_of_row[row]) * n_classes_;
      logs[i] = log_weight_[row] + rise[entry + labels[row]];
      log_weight_[row] = logs[i];
      part.highest = std::max(part.highest, logs[i]);
    }
    if (needs_new_base(part.highest)) return;
    convert_part(changed, n, logs.data(), amounts == nullptr ? nullptr : amounts + first, part);
  });
  if (needs_new_base(highest_of_parts())) return false;
  std::uint64_t total = total_;
  for (const Part& part : parts_) total -= part.mass_lost;
  if (!fits(weight_of_parts() + std::ldexp(static_cast<double>(total), -exponent_))) return false;
  for (const Part& part : parts_) total += part.mass_won;
  total_ = static_cast<Sum>(total);
  changes_.all = !are_listed;
  changes_.rows = changed_.data();
  changes_.amounts = amounts;
  changes_.n = n_changed_;
  return true;
}

// Rows with these logarithms, which become weights.
void GrowingWeights::convert_part(const Row* rows, std::size_t n, double* logs, Sum* amounts,
                                  Part& part) {
  part.weight = to_weights(n, [rows](std::size_t i) { return rows[i]; }, logs);
  for (std::size_t i = 0; i < n; ++i) {
    const Sum last = fixed_[rows[i]], fixed = fixed_of(logs[i], last);
    fixed_[rows[i]] = fixed;
    if (amounts != nullptr) amounts[i] = fixed - last;
    part.mass_lost += mass_of(last);
    part.mass_won += mass_of(fixed);
  }
}

double GrowingWeights::highest_of_parts() const {
  double highest = -std::numeric_limits<double>::infinity();
  for (const Part& part : parts_) highest = std::max(highest, part.highest);
  return highest;
}

double GrowingWeights::weight_of_parts() const {
  double weight = 0.0;
  for (const Part& part : parts_) weight += part.weight;
  return weight;
}

// Weights that only rise move the base when one of them leaves the band.
bool GrowingWeights::needs_new_base(double highest) const { return highest >= base_ + weight_band; }

// Weights of the rows that row_of(0), row_of(1), .. name, in place of their logarithms; returns
// their sum.
template <class RowOf>
double GrowingWeights::to_weights(std::size_t n, RowOf&& row_of, double* logs) const {
  for (std::size_t i = 0; i < n; ++i) logs[i] -= base_;
  exponentiate(logs, n);
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    if (sample_weight_ != nullptr)
      logs[i] = std::max(logs[i] * (sample_weight_[row_of(i)] * sample_scale_), smallest_weight);
    sum += logs[i];
  }
  return sum;
}

Sum GrowingWeights::fixed_of(double weight, Sum last) const {
  // A product with a power of two is exact, where the power is a normal number.
  const double scaled = scale_ != 0.0 ? weight * scale_ : std::ldexp(weight, exponent_);
  const Sum fixed = std::max<Sum>(1, std::llrint(scaled));
  return last < 0 ? -fixed : fixed;
}

bool GrowingWeights::fits(double total) const {
  const int bits = magnitude(total) + exponent_;
  return has_exponent_ && smallest_bits < bits && bits <= largest_bits;
}

void GrowingWeights::convert_all() {
  for_parts(n_, [&](Part& part, std::size_t first, std::size_t n) {
    part.highest = *std::max_element(log_weight_.data() + first, log_weight_.data() + first + n);
  });
  base_ = n_ == 0 ? 0.0 : weight_band * std::trunc(highest_of_parts() / weight_band);
  // All weights as doubles would be an array that is needed once: they are found twice.
  const auto find_part = [&](std::size_t first, std::size_t n, double* weights) {
    std::copy_n(log_weight_.data() + first, n, weights);
    return to_weights(n, [first](std::size_t i) { return first + i; }, weights);
  };
  for_parts(n_, [&](Part& part, std::size_t first, std::size_t n) {
    std::array<double, rows_of_a_part> weights;
    part.weight = find_part(first, n, weights.data());
  });
  const double sum = weight_of_parts();
  if (!fits(sum)) exponent_ = goal_bits - magnitude(sum);
  has_exponent_ = true;
  scale_ = std::abs(exponent_) < 1000 ? std::ldexp(1.0, exponent_) : 0.0;
  for_parts(n_, [&](Part& part, std::size_t first, std::size_t n) {
    std::array<double, rows_of_a_part> weights;
    find_part(first, n, weights.data());
    std::uint64_t won = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Sum fixed = fixed_of(weights[i], fixed_[first + i]);
      fixed_[first + i] = fixed;
      won += mass_of(fixed);
    }
    part.mass_won = won;
  });
  std::uint64_t total = 0;
  for (const Part& part : parts_) total += part.mass_won;
  total_ = static_cast<Sum>(total);
  changes_.all = true;
}

std::size_t GrowingWeights::sort_by_weight(double share, std::vector<Row>& rows,
                                           int n_threads) const {
  // The bits of a float just below its sign: exponent, then the highest of the mantissa.
  constexpr std::size_t n_buckets = 4 * 64;
  const auto bucket_of = [](Sum fixed) {
    const auto weight = static_cast<double>(mass_of(fixed));
    std::uint64_t bits;
    std::memcpy(&bits, &weight, sizeof bits);
    return n_buckets - 1 - ((bits >> 50) - (std::uint64_t{1023} << 2));
  };
  // Rows of a bucket stay in the order of the table: those of one slice before those of the next.
  struct Slice {
    std::array<std::size_t, n_buckets> place{};
    std::array<std::uint64_t, n_buckets> mass{};
  };
  std::vector<Slice> slices(slices_worth(n_, 2 * rows_of_a_part, n_threads));
  parallel_slices(n_, slices.size(), [&](std::size_t s, std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const std::size_t bucket = bucket_of(fixed_[row]);
      ++slices[s].place[bucket];
      slices[s].mass[bucket] += mass_of(fixed_[row]);
    }
  });
  std::size_t n_heavy = 0, n_before = 0;
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < n_buckets; ++bucket) {
    const bool is_heavy = static_cast<double>(seen) < share * static_cast<double>(total_);
    for (Slice& slice : slices) {
      seen += slice.mass[bucket];
      n_before += std::exchange(slice.place[bucket], n_before);
    }
    if (is_heavy) n_heavy = n_before;
  }
  rows.resize(n_);
  parallel_slices(n_, slices.size(), [&](std::size_t s, std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      rows[slices[s].place[bucket_of(fixed_[row])]++] = static_cast<Row>(row);
  });
  return n_heavy;
}

Problem GrowingWeights::problem() const {
  Problem problem;
  problem.layout = Layout::classes;
  problem.n_outputs = n_classes_;
  problem.n_rows = n_;
  problem.labels = n_classes_ == 2 ? nullptr : labels_;
  problem.weights = fixed_.data();
  problem.changes = &changes_;
  return problem;
}

}  // namespace frugalboost
