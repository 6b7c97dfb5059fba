// From a value to its code: the number of thresholds below it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

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

// Codes of one column, by the way that suits its type and thresholds.
template <class T>
class CodeLookup {
 public:
  CodeLookup(const Cuts& cuts, std::size_t n_rows)
      : cuts_(cuts), grid_(cuts, sizeof(T) == 1 ? 0 : n_rows) {
    if constexpr (sizeof(T) == 1) {
      for (int byte = 0; byte < 256; ++byte) {
        const double value = static_cast<double>(static_cast<T>(byte));
        codes_of_bytes_.push_back(static_cast<std::uint16_t>(cuts.below(value)));
      }
    }
  }

  template <class Code>
  void encode(const T* values, std::size_t n, Code* codes) const {
    if constexpr (sizeof(T) == 1) {
      const std::uint16_t* table = codes_of_bytes_.data();
      for (std::size_t i = 0; i < n; ++i)
        codes[i] = static_cast<Code>(table[static_cast<std::uint8_t>(values[i])]);
    } else if (grid_.is_usable()) {
      encode_with(grid_, values, n, codes);
    } else {
      encode_with(cuts_, values, n, codes);
    }
  }

 private:
  template <class Finder, class Code>
  void encode_with(const Finder& finder, const T* values, std::size_t n, Code* codes) const {
    const Code missing = static_cast<Code>(cuts_.n + 1);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t bin = finder.below(static_cast<double>(values[i]));
      codes[i] = is_missing(values[i]) ? missing : static_cast<Code>(bin);
    }
  }

  Cuts cuts_;
  CutGrid grid_;
  std::vector<std::uint16_t> codes_of_bytes_;
};

}  // namespace frugalboost
