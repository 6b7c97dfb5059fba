// Sorting doubles by their bits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace frugalboost {

// Bits that compare as unsigned integers the way the doubles compare.
inline std::uint64_t to_key(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint64_t sign = std::uint64_t{1} << 63;
  return bits & sign ? ~bits : bits | sign;
}

inline double from_key(std::uint64_t key) {
  const std::uint64_t sign = std::uint64_t{1} << 63;
  const std::uint64_t bits = key & sign ? key & ~sign : ~key;
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// Digits that all keys share need no pass, which spares half of them for float32 and integers.
inline void radix_sort(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& spare) {
  constexpr int kBits = 11, kPasses = 6;
  constexpr std::size_t kDigits = std::size_t{1} << kBits;
  if (keys.size() < kDigits) {
    std::sort(keys.begin(), keys.end());
    return;
  }
  const auto digit = [](std::uint64_t key, int pass) {
    return key >> (pass * kBits) & (kDigits - 1);
  };
  std::vector<std::size_t> starts(kPasses * kDigits, 0);
  for (const std::uint64_t key : keys) {
    for (int pass = 0; pass < kPasses; ++pass) ++starts[pass * kDigits + digit(key, pass)];
  }
  spare.resize(keys.size());
  for (int pass = 0; pass < kPasses; ++pass) {
    std::size_t* start = starts.data() + pass * kDigits;
    if (start[digit(keys[0], pass)] == keys.size()) continue;
    std::size_t sum = 0;
    for (std::size_t d = 0; d < kDigits; ++d) sum += std::exchange(start[d], sum);
    for (const std::uint64_t key : keys) spare[start[digit(key, pass)]++] = key;
    keys.swap(spare);
  }
}

}  // namespace frugalboost
