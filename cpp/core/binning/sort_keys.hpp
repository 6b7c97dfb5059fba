// Sorting numbers by their bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/threads/listener.hpp"

namespace frugalboost {

// Unsigned integers that compare the way the numbers compare; narrow ones halve the sort's memory.
template <class T>
using Key = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
Key<T> to_key(T value) {
  constexpr Key<T> sign = Key<T>{1} << (8 * sizeof(Key<T>) - 1);
  if constexpr (std::is_floating_point_v<T>) {
    Key<T> bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
  }
  if constexpr (std::is_signed_v<T>) return static_cast<Key<T>>(value) ^ sign;
  return static_cast<Key<T>>(value);
}

template <class T>
T from_key(Key<T> key) {
  constexpr Key<T> sign = Key<T>{1} << (8 * sizeof(Key<T>) - 1);
  if constexpr (std::is_floating_point_v<T>) {
    const Key<T> bits = key & sign ? key & ~sign : ~key;
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  if constexpr (std::is_signed_v<T>) return static_cast<T>(key ^ sign);
  return static_cast<T>(key);
}

// Calls visit for all keys, in order; returns false if it was interrupted.
template <class K, class Visit>
bool visit_keys(const std::vector<K>& keys, Listener& listener, Visit&& visit) {
  constexpr std::size_t at_once = std::size_t{1} << 16;
  for (std::size_t first = 0; first < keys.size(); first += at_once) {
    const std::size_t end = std::min(first + at_once, keys.size());
    if (!listener.goes_on(end - first)) return false;
    for (std::size_t i = first; i < end; ++i) visit(keys[i]);
  }
  return true;
}

// Digits that all keys share need no pass, which spares some of them for numbers of few digits.
// Returns false if it was interrupted.
template <class K>
bool radix_sort(std::vector<K>& keys, std::vector<K>& spare, Listener& listener) {
  constexpr int kBits = 11, kPasses = (8 * sizeof(K) + kBits - 1) / kBits;
  constexpr std::size_t kDigits = std::size_t{1} << kBits;
  if (keys.size() < kDigits) {
    std::sort(keys.begin(), keys.end());
    return true;
  }
  const auto digit = [](K key, int pass) { return key >> (pass * kBits) & (kDigits - 1); };
  std::vector<std::size_t> starts(kPasses * kDigits, 0);
  const auto count = [&](K key) {
    for (int pass = 0; pass < kPasses; ++pass) ++starts[pass * kDigits + digit(key, pass)];
  };
  if (!visit_keys(keys, listener, count)) return false;
  spare.resize(keys.size());
  for (int pass = 0; pass < kPasses; ++pass) {
    std::size_t* start = starts.data() + pass * kDigits;
    if (start[digit(keys[0], pass)] == keys.size()) continue;
    std::size_t sum = 0;
    for (std::size_t d = 0; d < kDigits; ++d) sum += std::exchange(start[d], sum);
    const auto place = [&](K key) { spare[start[digit(key, pass)]++] = key; };
    if (!visit_keys(keys, listener, place)) return false;
    keys.swap(spare);
  }
  return true;
}

}  // namespace frugalboost
