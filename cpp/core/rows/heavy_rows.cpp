#include "core/rows/heavy_rows.hpp"

#include <atomic>
#include <numeric>

#include "core/threads/lists.hpp"

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

void HeavyRows::update(const GrowingWeights& weights, int n_threads) {
  ++age_;
  if (!is_current(weights, n_threads)) choose(weights, n_threads);
}

bool HeavyRows::is_current(const GrowingWeights& weights, int n_threads) const {
  if (chosen_for_ != &weights || age_ > oldest) return false;
  if (rows_.empty()) return true;
  std::vector<std::uint64_t> heavy(slices_worth(n_heavy_, rows_worth_a_thread, n_threads), 0);
  parallel_slices(n_heavy_, heavy.size(), [&](std::size_t s, std::size_t begin, std::size_t end) {
    std::uint64_t mass = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const Sum weight = weights.fixed()[rows_[i]];
      mass += static_cast<std::uint64_t>(weight < 0 ? -weight : weight);
    }
    heavy[s] = mass;
  });
  return static_cast<double>(std::accumulate(heavy.begin(), heavy.end(), std::uint64_t{0})) >=
         least_share * static_cast<double>(weights.total());
}

void HeavyRows::choose(const GrowingWeights& weights, int n_threads) {
  const bool had_all = rows_.empty() && chosen_for_ == &weights;
  chosen_for_ = nullptr;  // until all is done: memory may run out
  age_ = 0;
  n_heavy_ = weights.sort_by_weight(wanted_share, rows_, n_threads);
  const bool has_all =
      static_cast<double>(n_heavy_) > most_rows * static_cast<double>(weights.size());
  if (has_all) {
    rows_.clear();
    n_heavy_ = weights.size();
  } else {
    put_heavy_in_order(n_threads);
  }
  if (!has_all || !had_all || version_ == 0) version_ = next_version();
  chosen_for_ = &weights;
}

// Rows of the table's order are read from memory an eighth faster than rows of any other.
void HeavyRows::put_heavy_in_order(int n_threads) {
  std::vector<std::uint8_t> is_heavy(rows_.size(), 0);
  parallel_slices(n_heavy_, slices_worth(n_heavy_, rows_worth_a_thread, n_threads),
                  [&](std::size_t, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i) is_heavy[rows_[i]] = 1;
                  });
  const std::uint8_t* heavy = is_heavy.data();
  Scratch<Row> list, aside;
  list_numbers(
      rows_.size(), slices_worth(rows_.size(), rows_worth_a_thread, n_threads),
      [heavy](std::size_t row) { return heavy[row]; }, list, aside);
  std::copy_n(list.data(), n_heavy_, rows_.begin());
}

}  // namespace frugalboost
