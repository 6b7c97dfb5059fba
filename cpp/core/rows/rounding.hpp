// Floats to integers by adding a constant whose last bit is worth 1: the sum is rounded to the
// nearest integer, ties to even, as llrint does, and holds that integer in its low bits. Unlike
// llrint this works on several numbers at a time on every machine.
#pragma once

#include <cmath>
#include <cstring>

#include "core/base/types.hpp"

namespace frugalboost {

// Magnitudes below this are rounded rightly by the functions here.
constexpr double roundable = 0x1p51;

inline Sum bits_of(double value) {
  Sum bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline double rounded(double value) {
  constexpr double rounder = 0x1.8p52;
  return (value + rounder) - rounder;
}

// For numbers that are not negative.
inline double rounded_up(double value) {
  constexpr double rounder = 0x1p52;
  const double nearest = (value + rounder) - rounder;
  return nearest + (nearest < value ? 1.0 : 0.0);
}

// Of a number that is an integer already.
inline Sum integer_of(double value) {
  constexpr double rounder = 0x1.8p52;
  return bits_of(value + rounder) - bits_of(rounder);
}

// 2^exponent as a factor, or 0 where it is no normal number and ldexp must be used.
inline double power_of_two(int exponent) {
  return -1000 < exponent && exponent < 1000 ? std::ldexp(1.0, exponent) : 0.0;
}

}  // namespace frugalboost
