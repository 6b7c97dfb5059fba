// What the first m rows of a node hold, for every m.
#pragma once

#include <algorithm>
#include <vector>

#include "core/histogram/accumulate.hpp"

namespace frugalboost {

class PrefixSums {
 public:
  // Channel totals are kept every `stride` rows only: with many channels a full table would cost
  // more than the histograms it serves.
  static constexpr std::size_t stride = 64;

  void reset(const Problem& problem, const RowOrder& order, Range range) {
    range_ = range;
    n_channels_ = problem.n_channels();
    mass_.resize(range.size() + 1);
    mass_[0] = 0;
    for (std::size_t i = 0; i < range.size(); ++i)
      mass_[i + 1] = mass_[i] + problem.mass_of(order.row(range.begin + i));
    totals_.clear();
    keep_totals(Accumulator(problem, order));
  }

  Sum mass(std::size_t n) const { return mass_[n]; }
  Sum total_mass() const { return mass_.back(); }

  // The least m whose mass is at least `target`.
  std::size_t rows_for(Sum target) const {
    const auto found = std::lower_bound(mass_.begin(), mass_.end(), target);
    return found == mass_.end() ? range_.size() : static_cast<std::size_t>(found - mass_.begin());
  }

  // Channel totals of the first n rows.
  void totals(std::size_t n, const Accumulator& accumulator, std::vector<Sum>& out) const {
    const Sum* kept = totals_.data() + (n / stride) * n_channels_;
    out.assign(kept, kept + n_channels_);
    accumulator.add_rows({range_.begin + n / stride * stride, range_.begin + n}, out.data());
  }

 private:
  void keep_totals(const Accumulator& accumulator) {
    std::vector<Sum> running(n_channels_, 0);
    for (std::size_t i = 0; i <= range_.size(); i += stride) {
      totals_.insert(totals_.end(), running.begin(), running.end());
      const std::size_t end = std::min(i + stride, range_.size());
      accumulator.add_rows({range_.begin + i, range_.begin + end}, running.data());
    }
  }

  Range range_;
  int n_channels_ = 0;
  std::vector<Sum> mass_, totals_;
};

}  // namespace frugalboost
