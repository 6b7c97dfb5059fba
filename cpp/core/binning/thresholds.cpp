#include "core/binning/thresholds.hpp"

#include <cmath>
#include <limits>

namespace frugalboost {
namespace {

// A number m with a <= m < b. Halves are added, as a + b may overflow; when the sum of the halves
// rounds up to b (neighbouring numbers, or subnormals) a itself separates them.
double midpoint(double a, double b) {
  if (std::isinf(a)) return std::isinf(b) ? 0.0 : a;
  if (std::isinf(b)) return std::numeric_limits<double>::max();
  const double middle = a / 2 + b / 2;
  return a <= middle && middle < b ? middle : a;
}

// Marks values so frequent that they get a bin of their own, and divides the rest evenly. A value
// alone costs two bins, as it also cuts the bin around it in two; so a value stands alone when it
// holds more than two bins of the rest, and there are never more than max_bins bins.
struct Shares {
  std::uint64_t light_rows;
  std::uint64_t light_bins;

  Shares(const Distinct& distinct, std::uint64_t max_bins) {
    light_rows = 0;
    for (const std::uint32_t count : distinct.counts) light_rows += count;
    light_bins = max_bins;
    while (separate_frequent(distinct, max_bins)) {
    }
  }

  bool is_frequent(std::uint64_t count) const { return count * light_bins > 2 * light_rows; }

 private:
  // Each pass lowers light_rows / light_bins, so frequent values stay frequent. All values cannot
  // become frequent: there are more than max_bins, and fewer than max_bins / 2 fit.
  bool separate_frequent(const Distinct& distinct, std::uint64_t max_bins) {
    std::uint64_t rows = 0, n_frequent = 0;
    for (const std::uint32_t count : distinct.counts) {
      if (is_frequent(count)) {
        ++n_frequent;
      } else {
        rows += count;
      }
    }
    const bool changed = rows != light_rows;
    light_rows = rows;
    light_bins = max_bins - 2 * n_frequent;
    return changed;
  }
};

std::vector<double> quantile_thresholds(const Distinct& distinct, std::size_t max_bins) {
  const Shares shares(distinct, max_bins);
  constexpr std::uint64_t kAlone = std::numeric_limits<std::uint64_t>::max();
  std::vector<double> thresholds;
  std::uint64_t rows_before = 0;
  std::uint64_t last_share = 0;
  for (std::size_t i = 0; i < distinct.values.size(); ++i) {
    const std::uint64_t count = distinct.counts[i];
    std::uint64_t share = kAlone;
    if (!shares.is_frequent(count)) {  // the share that holds the middle row of this value
      share = (2 * rows_before + count) * shares.light_bins / (2 * shares.light_rows);
      rows_before += count;
    }
    if (i > 0 && (share == kAlone || share != last_share)) {
      thresholds.push_back(midpoint(distinct.values[i - 1], distinct.values[i]));
    }
    last_share = share;
  }
  return thresholds;
}

// A column that is cut anyway keeps one of the 256 codes of a byte for its missing values.
std::size_t bins_of_values(std::size_t max_bins, bool has_missing) {
  return max_bins - (has_missing && max_bins == 256 ? 1 : 0);
}

}  // namespace

std::vector<double> make_thresholds(const Distinct& distinct, std::size_t max_bins,
                                    bool has_missing) {
  if (distinct.values.size() > max_bins) {
    return quantile_thresholds(distinct, bins_of_values(max_bins, has_missing));
  }
  std::vector<double> thresholds;
  for (std::size_t i = 1; i < distinct.values.size(); ++i) {
    thresholds.push_back(midpoint(distinct.values[i - 1], distinct.values[i]));
  }
  return thresholds;
}

std::vector<std::size_t> too_coarse(const Distinct& distinct, const std::vector<bool>& is_group,
                                    std::size_t max_bins, bool has_missing) {
  const Shares shares(distinct, bins_of_values(max_bins, has_missing));
  const auto share_of = [&](std::uint64_t twice_a_row) {
    return twice_a_row * shares.light_bins / (2 * shares.light_rows);
  };
  std::vector<bool> is_coarse(is_group.size(), false);
  std::uint64_t rows_before = 0, last_share = 0;
  bool was_alone = false;
  for (std::size_t i = 0; i < is_group.size(); ++i) {
    const std::uint64_t count = distinct.counts[i];
    const bool is_alone = shares.is_frequent(count);
    std::uint64_t first = 0, last = 0;  // shares that middle rows of values in the entry may have
    if (!is_alone) {
      first = share_of(2 * rows_before + (is_group[i] ? 1 : count));
      last = share_of(2 * rows_before + (is_group[i] ? 2 * count - 1 : count));
      rows_before += count;
    }
    if (is_alone || first != last) is_coarse[i] = true;
    if (i > 0 && (is_alone || was_alone || first != last_share))
      is_coarse[i - 1] = is_coarse[i] = true;
    last_share = last;
    was_alone = is_alone;
  }
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < is_group.size(); ++i)
    if (is_group[i] && is_coarse[i]) found.push_back(i);
  return found;
}

}  // namespace frugalboost
