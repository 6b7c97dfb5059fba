// The work of adding rows to the histograms of all searched features, divided for threads.
#pragma once

#include <vector>

#include "core/histogram/feature_space.hpp"
#include "core/rows/rows.hpp"

namespace frugalboost {

// Features whose rows are read together and whose cells lie together: a block, or a few columns.
struct Lane {
  std::size_t first_code = 0, n_codes = 0;
  double cost = 0.0;                           // of a row, in cell updates
  const FeatureSpace::Block* block = nullptr;  // null for columns
  std::size_t first_single = 0, n_singles = 0;
  bool is_divisible = true;  // whether a part of the rows takes a part of the time
};

class Lanes {
 public:
  // Columns are taken `group` at a time.
  Lanes(const FeatureSpace& space, std::size_t n_rows, std::size_t group);

  std::size_t size() const { return lanes_.size(); }
  const Lane& operator[](std::size_t at) const { return lanes_[at]; }
  std::vector<Lane>::const_iterator begin() const { return lanes_.begin(); }
  std::vector<Lane>::const_iterator end() const { return lanes_.end(); }

  double cost() const { return cost_; }  // of a row in all lanes

  // The lanes of a thread: next to each other, and about as much work as the other threads'.
  Range home_of(int thread, int n_team) const;

 private:
  void add(const Lane& lane);

  std::vector<Lane> lanes_;
  double cost_ = 0.0;
};

// Into how many parts to divide the adding of rows so that interrupts are heard in time: a part is
// about a tenth of a second.
inline std::size_t parts_between_polls(double cost, std::size_t n_rows) {
  constexpr double updates = 1 << 26;
  return static_cast<std::size_t>(cost * static_cast<double>(n_rows) / updates) + 1;
}

}  // namespace frugalboost
