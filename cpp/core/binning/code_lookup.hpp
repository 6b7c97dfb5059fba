// From a value to its code: the number of thresholds below it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/binning/integers.hpp"
#include "core/binning/raw_table.hpp"

namespace frugalboost {

// The thresholds of one column.
struct Cuts {
  const double* values;
  std::size_t n;

  // By halving, without a branch that depends on x.
  std::size_t below(double x) const {
    const double* base = values;
    std::size_t left = n;
    while (left > 1) {
      const std::size_t half = left / 2;
      base += half * static_cast<std::size_t>(base[half - 1] < x);
      left -= half;
    }
    return (base - values) + (left == 1 && *base < x ? 1 : 0);
  }
};

// Equal cells over the range of the thresholds, so fine that few thresholds share one: then a
// multiplication finds all but those few. Rounding cannot spoil it: the cell of x never falls as x
// rises, so thresholds in lower cells are below x and thresholds in higher cells are not.
class CutGrid {
 public:
  // Not usable where it would not be faster: few cuts, few rows to look up, or uneven cuts.
  CutGrid(const Cuts& cuts, std::size_t n_rows) {
    if (cuts.n < 4 || cuts.n > most_cuts) return;
    low_ = cuts.values[0];
    const double range = cuts.values[cuts.n - 1] - low_;
    for (std::size_t size = 4 * cuts.n; size <= 16 * cuts.n; size *= 2) {
      scale_ = static_cast<double>(size - 1) / range;
      if (size > n_rows || !std::isfinite(range) || !std::isfinite(scale_)) return;
      top_ = static_cast<double>(size - 1);
      n_steps_ = most_in_a_cell(cuts);
      if (n_steps_ > most_steps) continue;
      fill(cuts, size);
      return;
    }
  }

  bool is_usable() const { return !first_.empty(); }

  std::size_t below(double x) const {
    std::size_t bin = first_[cell(x)];
    for (int step = 0; step < n_steps_; ++step) bin += padded_[bin] < x ? 1 : 0;
    return bin;
  }

 private:
  static constexpr std::size_t most_cuts = 4096;
  static constexpr int most_steps = 3;

  // NaN has the first cell.
  std::size_t cell(double x) const {
    double at = (x - low_) * scale_;
    at = at > 0.0 ? at : 0.0;
    return static_cast<std::size_t>(at < top_ ? at : top_);
  }

  int most_in_a_cell(const Cuts& cuts) const {
    int most = 0, here = 0;
    for (std::size_t i = 0; i < cuts.n; ++i) {
      here = i > 0 && cell(cuts.values[i]) == cell(cuts.values[i - 1]) ? here + 1 : 1;
      most = std::max(most, here);
    }
    return most;
  }

  void fill(const Cuts& cuts, std::size_t size) {
    first_.assign(size, 0);
    std::size_t bin = 0;
    for (std::size_t c = 0; c < size; ++c) {
      first_[c] = static_cast<std::uint16_t>(bin);
      while (bin < cuts.n && cell(cuts.values[bin]) == c) ++bin;
    }
    // No value is above infinity, so steps end there.
    padded_.assign(cuts.values, cuts.values + cuts.n);
    padded_.push_back(std::numeric_limits<double>::infinity());
  }

  double low_ = 0.0, scale_ = 0.0, top_ = 0.0;
  int n_steps_ = 0;
  std::vector<std::uint16_t> first_;  // of each cell: thresholds in lower cells
  std::vector<double> padded_;
};

// The code of every whole number from below the first threshold to above the last, where those are
// near enough to each other.
class IntegerTable {
 public:
  IntegerTable(const Cuts& cuts, std::size_t n_rows) {
    if (cuts.n == 0) return;
    const double low = std::floor(cuts.values[0]);
    const double high = std::floor(cuts.values[cuts.n - 1]) + 1;
    constexpr double limit = 1 << 29;
    if (!(low >= -limit && high <= limit && high - low < widest_integers)) return;
    const std::size_t size = static_cast<std::size_t>(high - low) + 1;
    if (size > std::max<std::size_t>(n_rows, 256)) return;
    // Between whole numbers a threshold is a whole number or half of one; other columns would be
    // looked through for whole numbers in vain.
    for (std::size_t i = 0; i < cuts.n; ++i)
      if (2 * cuts.values[i] != std::floor(2 * cuts.values[i])) return;
    low_ = static_cast<std::int32_t>(low);
    codes_.resize(size);
    std::size_t bin = 0;
    for (std::size_t i = 0; i < size; ++i) {
      while (bin < cuts.n && cuts.values[bin] < low + static_cast<double>(i)) ++bin;
      codes_[i] = static_cast<std::uint16_t>(bin);
    }
  }

  bool is_usable() const { return !codes_.empty(); }

  template <class Code>
  void encode(const Integers& integers, std::int32_t* numbers, std::size_t n, Code* codes) const {
    const std::int32_t high = low_ + static_cast<std::int32_t>(codes_.size()) - 1;
    if (integers.low < low_ || integers.high > high)
      for (std::size_t i = 0; i < n; ++i) numbers[i] = std::clamp(numbers[i], low_, high);
    const std::uint16_t* table = codes_.data();
    for (std::size_t i = 0; i < n; ++i) codes[i] = static_cast<Code>(table[numbers[i] - low_]);
  }

 private:
  std::int32_t low_ = 0;
  std::vector<std::uint16_t> codes_;
};

// Codes of one column, by the way that suits its values and thresholds.
class CodeLookup {
 public:
  CodeLookup(const Cuts& cuts, std::size_t n_rows)
      : cuts_(cuts), integers_(cuts, n_rows), grid_(cuts, integers_.is_usable() ? 0 : n_rows) {}

  // `room` is for n integers.
  template <class T, class Code>
  void encode(const T* values, std::size_t n, Code* codes, std::int32_t* room) const {
    if (integers_.is_usable()) {
      const Integers integers = to_integers(values, n, room);
      if (integers.are_all) {
        integers_.encode(integers, room, n, codes);
        if (integers.any_missing) mark_missing(values, n, codes);
        return;
      }
    }
    if (grid_.is_usable()) {
      encode_with(grid_, values, n, codes);
    } else {
      encode_with(cuts_, values, n, codes);
    }
  }

 private:
  template <class T, class Code>
  void mark_missing(const T* values, std::size_t n, Code* codes) const {
    const Code missing = static_cast<Code>(cuts_.n + 1);
    for (std::size_t i = 0; i < n; ++i) codes[i] = is_missing(values[i]) ? missing : codes[i];
  }

  template <class Finder, class T, class Code>
  void encode_with(const Finder& finder, const T* values, std::size_t n, Code* codes) const {
    const Code missing = static_cast<Code>(cuts_.n + 1);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t bin = finder.below(static_cast<double>(values[i]));
      codes[i] = is_missing(values[i]) ? missing : static_cast<Code>(bin);
    }
  }

  Cuts cuts_;
  IntegerTable integers_;
  CutGrid grid_;
};

}  // namespace frugalboost
