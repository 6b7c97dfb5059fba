// The weight and the numerator of a real target in one number, so that both are added at once.
//
// A sum of packed numbers is the packed pair of sums as long as all weights together stay below
// 2^bits and all numerators, whatever their signs, below 2^(63 - bits) in size. Who makes a problem
// sees to that.
#pragma once

#include "core/base/types.hpp"

namespace frugalboost {

struct Packing {
  int bits = 32;  // of the weights

  Sum weight(Sum packed) const { return packed & ((Sum{1} << bits) - 1); }
  Sum numerator(Sum packed) const { return packed >> bits; }
  Sum pack(Sum weight, Sum numerator) const { return numerator * (Sum{1} << bits) + weight; }
};

}  // namespace frugalboost
