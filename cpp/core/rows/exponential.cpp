#include "core/rows/exponential.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/base/dispatch.hpp"

namespace frugalboost {
namespace {

constexpr double lowest = -708.0, highest = 709.0;
constexpr double log2_of_e = 1.4426950408889634;
// ln 2 in two parts: the first has 32 bits, so that its multiples by small integers are exact.
constexpr double ln2_high = 0.6931471803691238;
constexpr double ln2_low = 1.9082149292705877e-10;
// Adding and subtracting it rounds to the nearest integer.
constexpr double rounder = 6755399441055744.0;  // 1.5 * 2^52

}  // namespace

// exp(x) = 2^k exp(r) with |r| <= ln 2 / 2, and exp(r) by its series, whose first term left out is
// below 2^-57. No step depends on the width of the registers.
FRUGALBOOST_CLONES
void exponentiate(double* values, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double x = std::min(std::max(values[i], lowest), highest);
    const double shifted = x * log2_of_e + rounder;
    const double k = shifted - rounder;
    const double r = (x - k * ln2_high) - k * ln2_low;
    double sum = 1.0 / 6227020800.0;
    sum = sum * r + 1.0 / 479001600.0;
    sum = sum * r + 1.0 / 39916800.0;
    sum = sum * r + 1.0 / 3628800.0;
    sum = sum * r + 1.0 / 362880.0;
    sum = sum * r + 1.0 / 40320.0;
    sum = sum * r + 1.0 / 5040.0;
    sum = sum * r + 1.0 / 720.0;
    sum = sum * r + 1.0 / 120.0;
    sum = sum * r + 1.0 / 24.0;
    sum = sum * r + 1.0 / 6.0;
    sum = sum * r + 0.5;
    const double power = (sum * r) * r + r;  // exp(r) - 1
    // The integer k stands in the low bits of `shifted`; moved into the exponent it is 2^k.
    std::uint64_t bits;
    std::memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    double scale;
    std::memcpy(&scale, &bits, sizeof scale);
    values[i] = power * scale + scale;
  }
}

}  // namespace frugalboost
