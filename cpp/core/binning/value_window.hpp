// How often each of neighbouring whole numbers occurs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/binning/integers.hpp"

namespace frugalboost {

// A counter for each number from the smallest to the largest seen; the range grows with them.
class ValueWindow {
 public:
  bool is_empty() const { return size_ == 0; }

  // Makes room for [low, high]; false where the range would be too wide.
  bool cover(std::int32_t low, std::int32_t high) {
    if (size_ > 0 && low >= low_ && high < low_ + size_) return true;
    const std::int64_t first = size_ > 0 ? std::min<std::int64_t>(low, low_) : low;
    const std::int64_t last = size_ > 0 ? std::max<std::int64_t>(high, low_ + size_ - 1) : high;
    if (last - first >= widest_integers) return false;
    std::int64_t size = 16;
    while (size <= last - first) size *= 2;
    // The spare room goes to the side that grew, where more may come.
    move_to(size_ > 0 && low < low_ ? last - size + 1 : first, size);
    return true;
  }

  // Numbers that `cover` has made room for.
  void add(const std::int32_t* numbers, std::size_t n) {
    std::uint32_t* lane[n_lanes];
    for (std::size_t k = 0; k < n_lanes; ++k) lane[k] = counts_.data() + (k % lanes()) * size_;
    const auto at = [&](std::size_t i) { return numbers[i] - low_; };
    std::size_t i = 0;
    for (; i + n_lanes <= n; i += n_lanes) {
      for (std::size_t k = 0; k < n_lanes; ++k) ++lane[k][at(i + k)];
    }
    for (; i < n; ++i) ++lane[0][at(i)];
  }

  void add(std::int32_t number, std::uint32_t count) { counts_[number - low_] += count; }

  // Calls visit(number, count) for those that occur, ascending.
  template <class Visit>
  void visit(Visit&& visit) const {
    for (std::int64_t i = 0; i < size_; ++i) {
      std::uint32_t count = 0;
      for (std::size_t k = 0; k < lanes(); ++k) count += counts_[k * size_ + i];
      if (count > 0) visit(static_cast<std::int32_t>(low_ + i), count);
    }
  }

 private:
  // A counter cannot be raised again before the last value is written, and many columns hold one
  // number most of the time; so a narrow window has several counters for each.
  static constexpr std::size_t n_lanes = 4;
  static constexpr std::int64_t widest_with_lanes = 2048;

  std::size_t lanes() const { return size_ <= widest_with_lanes ? n_lanes : 1; }

  void move_to(std::int64_t low, std::int64_t size) {
    ValueWindow wider;
    wider.low_ = low;
    wider.size_ = size;
    wider.counts_.assign(wider.lanes() * size, 0);
    visit([&](std::int32_t number, std::uint32_t count) { wider.add(number, count); });
    *this = std::move(wider);
  }

  std::int64_t low_ = 0, size_ = 0;
  std::vector<std::uint32_t> counts_;  // a table has fewer than 2^32 rows
};

}  // namespace frugalboost
