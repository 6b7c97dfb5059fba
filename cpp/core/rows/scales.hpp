// How weights are scaled; Python reads these numbers from here.
#pragma once

namespace frugalboost {

// Width of the bands in which the base of logarithms of weights is kept: subtracting the largest
// logarithm itself would change every weight whenever it changes.
constexpr double weight_band = 256.0;

// The total of the integers is scaled to about 2^50, and the scale is kept while it stays between
// 2^40 and 2^60.
constexpr int goal_bits = 50, smallest_bits = 40, largest_bits = 60;

// All weights of an output of real targets, and the sizes of their numerators, add up to less than
// these powers of two, so that a packed number holds both sums.
constexpr int real_weight_bits = 32, real_size_bits = 31;

}  // namespace frugalboost
