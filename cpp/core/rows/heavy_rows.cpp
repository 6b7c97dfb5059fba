#include "core/rows/heavy_rows.hpp"

#include <atomic>

namespace frugalboost {
namespace {

// Share of the weight that all features are shown, when chosen and as it may become.
constexpr double wanted_share = 0.99, least_share = 0.98;

constexpr int oldest = 12;

// Past this share of the rows, reading all of them in order is as fast.
constexpr double most_rows = 0.7;

std::uint64_t next_version() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

void HeavyRows::update(const GrowingWeights& weights) {
  ++age_;
  if (!is_current(weights)) choose(weights);
}

bool HeavyRows::is_current(const GrowingWeights& weights) const {
  if (chosen_for_ != &weights || age_ > oldest) return false;
  if (rows_.empty()) return true;
  double heavy = 0.0;
  for (std::size_t i = 0; i < n_heavy_; ++i) {
    const Sum weight = weights.fixed()[rows_[i]];
    heavy += static_cast<double>(weight < 0 ? -weight : weight);
  }
  return heavy >= least_share * static_cast<double>(weights.total());
}

void HeavyRows::choose(const GrowingWeights& weights) {
  const bool had_all = rows_.empty() && chosen_for_ == &weights;
  chosen_for_ = &weights;
  age_ = 0;
  n_heavy_ = weights.sort_by_weight(wanted_share, rows_);
  const bool has_all =
      static_cast<double>(n_heavy_) > most_rows * static_cast<double>(weights.size());
  if (has_all) {
    rows_.clear();
    n_heavy_ = weights.size();
  } else {
    put_heavy_in_order();
  }
  if (!has_all || !had_all || version_ == 0) version_ = next_version();
}

// Rows of the table's order are read from memory an eighth faster than rows of any other.
void HeavyRows::put_heavy_in_order() {
  std::vector<std::uint8_t> is_heavy(rows_.size(), 0);
  for (std::size_t i = 0; i < n_heavy_; ++i) is_heavy[rows_[i]] = 1;
  std::size_t at = 0;
  for (std::size_t row = 0; at < n_heavy_; ++row) {
    rows_[at] = static_cast<Row>(row);
    at += is_heavy[row];
  }
}

}  // namespace frugalboost
