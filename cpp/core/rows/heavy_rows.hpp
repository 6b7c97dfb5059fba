// The order in which two stages read the rows: the heavy ones, which hold nearly all of the weight,
// as they stand in the table, and then the others by about decreasing weight.
//
// Any order is right. This one is kept for some rounds, though weights change, because the root's
// histogram over the same heavy rows can be brought up to date from those that changed.
#pragma once

#include <vector>

#include "core/rows/growing_weights.hpp"

namespace frugalboost {

class HeavyRows {
 public:
  // Looks at the weights of the coming round.
  void update(const GrowingWeights& weights, int n_threads = 1);

  // Null: the order of the table, in which all rows count as heavy.
  const Row* rows() const { return rows_.empty() ? nullptr : rows_.data(); }
  std::size_t n_heavy() const { return n_heavy_; }
  // Names this choice of heavy rows among all that were ever made; never 0.
  std::uint64_t version() const { return version_; }

 private:
  bool is_current(const GrowingWeights& weights, int n_threads) const;
  void choose(const GrowingWeights& weights, int n_threads);
  void put_heavy_in_order(int n_threads);

  const GrowingWeights* chosen_for_ = nullptr;
  std::vector<Row> rows_;
  std::size_t n_heavy_ = 0;
  std::uint64_t version_ = 0;
  int age_ = 0;  // in rounds
};

}  // namespace frugalboost
