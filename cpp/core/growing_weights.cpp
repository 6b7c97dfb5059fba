#include "core/growing_weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/exponential.hpp"

namespace frugalboost {
namespace {

// Width of the bands in which the base of the logarithms is kept, as in frugalboost.rules.weights:
// subtracting the largest logarithm itself would change every weight whenever it changes.
constexpr double band = 256.0;

// The total is scaled to about 2^50 and the scale is kept while it stays between 2^40 and 2^60.
constexpr int goal = 50, smallest = 40, largest = 60;

// A zero weight would take the row out of the leaf that holds it.
constexpr double smallest_weight = std::numeric_limits<double>::min();

int magnitude(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return exponent;
}

}  // namespace

GrowingWeights::GrowingWeights(const Row* labels, const double* sample_weight, std::size_t n,
                               int n_classes)
    : labels_(labels), sample_weight_(sample_weight), n_(n), n_classes_(n_classes) {
  // Scaled by a power of two, hence exactly, so that the largest sample weight is in [1, 2).
  if (sample_weight != nullptr && n > 0)
    sample_scale_ =
        std::ldexp(1.0, 1 - magnitude(*std::max_element(sample_weight, sample_weight + n)));
  changes_.source = this;
  log_weight_.resize(n);
  fixed_.resize(n);
  reset();
}

void GrowingWeights::reset() {
  std::fill(log_weight_.begin(), log_weight_.end(), 0.0);
  convert_all();
  ++changes_.version;
}

void GrowingWeights::advance(const double* rise, std::size_t n_nodes,
                             const std::int32_t* node_of_row) {
  ++changes_.version;
  const std::size_t n_entries = n_nodes * n_classes_;
  const auto n_zero = static_cast<std::size_t>(std::count(rise, rise + n_entries, 0.0));
  if (n_zero == 0) {
    raise_all(rise, node_of_row);
    return convert_all();
  }
  list_changes(rise, node_of_row, n_entries);
  for (Row row : changed_)
    log_weight_[row] +=
        rise[static_cast<std::size_t>(node_of_row[row]) * n_classes_ + labels_[row]];
  if (has_new_base() || !convert_changed()) convert_all();
}

void GrowingWeights::raise_all(const double* rise, const std::int32_t* node_of_row) {
  for (std::size_t row = 0; row < n_; ++row)
    log_weight_[row] +=
        rise[static_cast<std::size_t>(node_of_row[row]) * n_classes_ + labels_[row]];
}

// No branch: which rows were wrong cannot be predicted.
void GrowingWeights::list_changes(const double* rise, const std::int32_t* node_of_row,
                                  std::size_t n_entries) {
  is_change_.resize(n_entries);
  for (std::size_t i = 0; i < n_entries; ++i) is_change_[i] = rise[i] != 0.0;
  changed_.resize(n_);
  Row* changed = changed_.data();
  const std::uint8_t* is_change = is_change_.data();
  std::size_t n_changed = 0;
  for (std::size_t row = 0; row < n_; ++row) {
    changed[n_changed] = static_cast<Row>(row);
    n_changed += is_change[static_cast<std::size_t>(node_of_row[row]) * n_classes_ + labels_[row]];
  }
  changed_.resize(n_changed);
}

// Weights that only rise move the base when one of them leaves the band.
bool GrowingWeights::has_new_base() const {
  double highest = base_;
  for (Row row : changed_) highest = std::max(highest, log_weight_[row]);
  return highest >= base_ + band;
}

// Weights of the rows that row_of(0), row_of(1), .. name; returns their sum.
template <class RowOf>
double GrowingWeights::find_weights(std::size_t n, RowOf&& row_of) {
  new_weights_.resize(n);
  for (std::size_t i = 0; i < n; ++i) new_weights_[i] = log_weight_[row_of(i)] - base_;
  exponentiate(new_weights_.data(), n);
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    if (sample_weight_ != nullptr)
      new_weights_[i] =
          std::max(new_weights_[i] * (sample_weight_[row_of(i)] * sample_scale_), smallest_weight);
    sum += new_weights_[i];
  }
  return sum;
}

Sum GrowingWeights::fixed_of(std::size_t row, double weight) const {
  // A product with a power of two is exact, where the power is a normal number.
  const double scaled = scale_ != 0.0 ? weight * scale_ : std::ldexp(weight, exponent_);
  const Sum fixed = std::max<Sum>(1, std::llrint(scaled));
  return n_classes_ == 2 && labels_[row] == 0 ? -fixed : fixed;
}

bool GrowingWeights::fits(double total) const {
  const int bits = magnitude(total) + exponent_;
  return has_exponent_ && smallest < bits && bits <= largest;
}

// Converts the changed rows if the scale can stay.
bool GrowingWeights::convert_changed() {
  const std::size_t n = changed_.size();
  const double sum = find_weights(n, [&](std::size_t i) { return changed_[i]; });
  Sum rest = total_;
  for (Row row : changed_) rest -= magnitude_of(fixed_[row]);
  if (!fits(sum + std::ldexp(static_cast<double>(rest), -exponent_))) return false;
  total_ = rest;
  amounts_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Sum fixed = fixed_of(changed_[i], new_weights_[i]);
    amounts_[i] = fixed - fixed_[changed_[i]];
    fixed_[changed_[i]] = fixed;
    total_ += magnitude_of(fixed);
  }
  changes_.all = false;
  changes_.rows = changed_.data();
  changes_.amounts = amounts_.data();
  changes_.n = n;
  return true;
}

void GrowingWeights::convert_all() {
  base_ = n_ == 0
              ? 0.0
              : band * std::trunc(*std::max_element(log_weight_.begin(), log_weight_.end()) / band);
  // A few rows at a time, twice: all weights as doubles would be an array that is needed once.
  constexpr std::size_t rows_at_a_time = 4096;
  const auto for_parts = [&](auto&& use) {
    for (std::size_t first = 0; first < n_; first += rows_at_a_time) {
      const std::size_t n = std::min(rows_at_a_time, n_ - first);
      use(first, n, find_weights(n, [first](std::size_t i) { return first + i; }));
    }
  };
  double sum = 0.0;
  for_parts([&](std::size_t, std::size_t, double part) { sum += part; });
  if (!fits(sum)) exponent_ = goal - magnitude(sum);
  has_exponent_ = true;
  scale_ = std::abs(exponent_) < 1000 ? std::ldexp(1.0, exponent_) : 0.0;
  total_ = 0;
  for_parts([&](std::size_t first, std::size_t n, double) {
    for (std::size_t i = 0; i < n; ++i) {
      fixed_[first + i] = fixed_of(first + i, new_weights_[i]);
      total_ += magnitude_of(fixed_[first + i]);
    }
  });
  changes_.all = true;
}

std::size_t GrowingWeights::sort_by_weight(double share, std::vector<Row>& rows) const {
  // The bits of a float just below its sign: exponent, then the highest of the mantissa.
  constexpr int n_buckets = 4 * 64;
  const auto bucket_of = [](Sum fixed) {
    const double weight = static_cast<double>(fixed < 0 ? -fixed : fixed);
    std::uint64_t bits;
    std::memcpy(&bits, &weight, sizeof bits);
    return static_cast<int>((bits >> 50) - (std::uint64_t{1023} << 2));
  };
  std::vector<std::size_t> start(n_buckets + 1, 0);
  std::vector<double> mass(n_buckets, 0.0);
  for (Sum fixed : fixed_) {
    const int bucket = n_buckets - 1 - bucket_of(fixed);
    ++start[bucket + 1];
    mass[bucket] += static_cast<double>(magnitude_of(fixed));
  }
  std::size_t n_heavy = 0;
  double seen = 0.0;
  for (int bucket = 0; bucket < n_buckets; ++bucket) {
    if (seen < share * static_cast<double>(total_)) n_heavy += start[bucket + 1];
    seen += mass[bucket];
    start[bucket + 1] += start[bucket];
  }
  rows.resize(n_);
  for (std::size_t row = 0; row < n_; ++row)
    rows[start[n_buckets - 1 - bucket_of(fixed_[row])]++] = static_cast<Row>(row);
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
