// Sorting numbers by their bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

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

// Digits that all keys share need no pass, which spares some of them for numbers of few digits.
template <class K>
void radix_sort(std::vector<K>& keys, std::vector<K>& spare) {
  constexpr int kBits = 11, kPasses = (8 * sizeof(K) + kBits - 1) / kBits;
  constexpr std::size_t kDigits = std::size_t{1} << kBits;
  if (keys.size() < kDigits) {
    std::sort(keys.begin(), keys.end());
    return;
  }
  const auto digit = [](K key, int pass) { return key >> (pass * kBits) & (kDigits - 1); };
  std::vector<std::size_t> starts(kPasses * kDigits, 0);
  for (const K key : keys) {
    for (int pass = 0; pass < kPasses; ++pass) ++starts[pass * kDigits + digit(key, pass)];
  }
  spare.resize(keys.size());
  for (int pass = 0; pass < kPasses; ++pass) {
    std::size_t* start = starts.data() + pass * kDigits;
    if (start[digit(keys[0], pass)] == keys.size()) continue;
    std::size_t sum = 0;
    for (std::size_t d = 0; d < kDigits; ++d) sum += std::exchange(start[d], sum);
    for (const K key : keys) spare[start[digit(key, pass)]++] = key;
    keys.swap(spare);
  }
}

}  // namespace frugalboost
