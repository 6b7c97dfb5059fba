// Where to cut a column, from its distinct values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace frugalboost {

struct Distinct {
  std::vector<double> values;         // ascending
  std::vector<std::uint32_t> counts;  // a table has fewer than 2^32 rows

  void reserve(std::size_t n) {
    values.reserve(n);
    counts.reserve(n);
  }

  // Equal doubles are one value, as they are in prediction: -0.0 and 0.0, whose keys differ, and
  // large integers that round to the same double.
  void push(double value, std::size_t count) {
    if (!values.empty() && values.back() == value) {
      counts.back() += static_cast<std::uint32_t>(count);
    } else {
      values.push_back(value);
      counts.push_back(static_cast<std::uint32_t>(count));
    }
  }

  void add_zeros(std::size_t count) {
    if (count == 0) return;
    const auto at = std::lower_bound(values.begin(), values.end(), 0.0) - values.begin();
    if (at < static_cast<std::ptrdiff_t>(values.size()) && values[at] == 0.0) {
      counts[at] += static_cast<std::uint32_t>(count);
    } else {
      values.insert(values.begin() + at, 0.0);
      counts.insert(counts.begin() + at, static_cast<std::uint32_t>(count));
    }
  }
};

// At most max_bins distinct values: a threshold between each two. More: cuts at quantiles.
std::vector<double> make_thresholds(const Distinct& distinct, std::size_t max_bins,
                                    bool has_missing);

// Which entries of more than max_bins must be taken apart before the thresholds are known, where
// `is_group` marks those that stand for several neighbouring values. If there are none, the
// thresholds of the entries are those of the values: no cut touches a group, and no value in one is
// so frequent that it gets a bin of its own.
std::vector<std::size_t> too_coarse(const Distinct& distinct, const std::vector<bool>& is_group,
                                    std::size_t max_bins, bool has_missing);

}  // namespace frugalboost
