// How often each value of a column occurs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/binning/raw_table.hpp"
#include "core/binning/sort_keys.hpp"
#include "core/binning/thresholds.hpp"
#include "core/binning/value_window.hpp"

namespace frugalboost {

// Counts whole numbers of a narrow range in a table and other values by hashing. For few values
// that is faster than sorting the column, needs no memory that grows with the rows, and takes the
// column in pieces. It gives up on a column of too many values.
template <class T>
class ValueCounts {
 public:
  static constexpr std::size_t most_values = std::size_t{1} << 14;

  // `room` is for n integers.
  void add(const T* values, std::size_t n, std::int32_t* room) {
    if (gave_up_) return;
    const Integers integers = to_integers(values, n, room);
    if (!integers.are_all || !window_.cover(integers.low, integers.high)) {
      add_any(values, n);
    } else if (!integers.any_missing) {
      window_.add(room, n);
    } else {
      for (std::size_t i = 0; i < n; ++i) {
        if (is_missing(values[i])) {
          ++n_missing_;
        } else {
          window_.add(room[i], 1);
        }
      }
    }
  }

  // Values of other rows.
  void add(ValueCounts&& other) {
    if (is_empty()) {
      *this = std::move(other);
      return;
    }
    gave_up_ |= other.gave_up_;
    n_missing_ += other.n_missing_;
    other.window_.visit([&](std::int32_t number, std::uint32_t times) {
      if (gave_up_) return;
      if (window_.cover(number, number)) {
        window_.add(number, times);
      } else {
        count(to_key(static_cast<T>(number)), times);
      }
    });
    for (const Slot& slot : other.slots_)
      if (slot.count > 0 && !gave_up_) count(slot.key, slot.count);
  }

  bool gave_up() const { return gave_up_; }
  std::size_t n_missing() const { return n_missing_; }

  Distinct distinct() const {
    std::vector<Slot> used;
    for (const Slot& slot : slots_)
      if (slot.count > 0) used.push_back(slot);
    const bool is_sorted = used.empty();
    window_.visit([&](std::int32_t number, std::uint32_t times) {
      used.push_back({to_key(static_cast<T>(number)), times});
    });
    const auto by_key = [](const Slot& a, const Slot& b) { return a.key < b.key; };
    if (!is_sorted) std::sort(used.begin(), used.end(), by_key);
    Distinct distinct;
    distinct.reserve(used.size());
    for (const Slot& slot : used)
      distinct.push(static_cast<double>(from_key<T>(slot.key)), slot.count);
    return distinct;
  }

 private:
  struct Slot {
    Key<T> key;
    std::uint32_t count;  // 0: empty
  };

  bool is_empty() const {
    return window_.is_empty() && slots_.empty() && n_missing_ == 0 && !gave_up_;
  }

  void add_any(const T* values, std::size_t n) {
    for (std::size_t i = 0; i < n && !gave_up_; ++i) {
      if (is_missing(values[i])) {
        ++n_missing_;
      } else {
        count(to_key(values[i]), 1);
      }
    }
  }

  void resize(std::size_t size) {
    slots_.assign(size, Slot{0, 0});
    shift_ = 64;
    while (size >>= 1) --shift_;
  }

  // The slot of the key, or the empty one where it belongs.
  Slot& find(Key<T> key) {
    const std::uint64_t mixed = (static_cast<std::uint64_t>(key) ^ key >> (4 * sizeof key)) *
                                0x9E3779B97F4A7C15u;  // 2^64 divided by the golden ratio
    std::size_t at = mixed >> shift_;
    while (slots_[at].count > 0 && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }

  void count(Key<T> key, std::uint32_t times) {
    if (slots_.empty()) resize(16);
    Slot& slot = find(key);
    slot.count += times;
    if (slot.count > times) return;
    slot.key = key;
    if (++n_values_ * 2 > slots_.size()) grow();
  }

  void grow() {
    gave_up_ = n_values_ > most_values;
    std::vector<Slot> old;
    old.swap(slots_);
    if (gave_up_) return;
    resize(2 * old.size());
    for (const Slot& slot : old)
      if (slot.count > 0) find(slot.key) = slot;
  }

  ValueWindow window_;
  std::vector<Slot> slots_;
  int shift_ = 0;
  std::size_t n_values_ = 0;  // that are hashed
  std::size_t n_missing_ = 0;
  bool gave_up_ = false;
};

// Counts by sorting; `keys` are those of the values that are not missing. Nothing if interrupted.
template <class T>
Distinct distinct_by_sorting(std::vector<Key<T>>& keys, std::vector<Key<T>>& spare,
                             Listener& listener) {
  if (!radix_sort(keys, spare, listener)) return {};
  std::size_t n_distinct = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) n_distinct += i == 0 || keys[i] != keys[i - 1];
  Distinct distinct;
  distinct.reserve(n_distinct);
  for (std::size_t i = 0, from = 0; i < keys.size(); from = i) {
    while (i < keys.size() && keys[i] == keys[from]) ++i;
    distinct.push(static_cast<double>(from_key<T>(keys[from])), i - from);
  }
  return distinct;
}

}  // namespace frugalboost
