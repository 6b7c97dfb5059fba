#include <algorithm>
#include <cmath>
#include <vector>

#include "core/histogram/rough_kernels.hpp"

namespace frugalboost {
namespace {

using namespace rough;

// What P^2 / W of one side, added over the outputs, can be at most. A numerator was rounded down by
// less than a unit for each row, and so was a weight, which is known to be at least one unit of the
// whole weights for each row.
template <class Half>
FRUGALBOOST_PART float most_gain(const Rough* __restrict cell, Half half, std::size_t n_outputs,
                                 float least_weight, float* __restrict terms) {
  const float n = static_cast<float>(cell[n_outputs]), middle = 0.5f * n;
  const float least = std::max(n * least_weight, 1e-30f);
  for (std::size_t k = 0; k < half; ++k) {
    const float p = std::abs(static_cast<float>(cell[half + k]) + middle) + middle;
    const float w = std::max(static_cast<float>(cell[k]), least);
    terms[k] = k < n_outputs ? (p * p) / w : 0.0f;
  }
  float sums[4] = {};
  for (std::size_t k = 0; k < half; k += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += terms[k + lane];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// Thresholds behind each of `n` bins from `first` on, `step` being 1 or -1.
template <class Half>
FRUGALBOOST_PART float run(const RoughGains& gains, Half half, int first, int step, int n,
                           Rough* scratch) {
  const std::size_t width = 2 * half, count = gains.n_outputs;
  Rough *near = scratch, *far = near + width;
  float* terms = reinterpret_cast<float*>(far + width);
  std::fill_n(near, width, Rough{0});
  float highest = -1.0f;
  for (int i = 0; i < n; ++i) {
    const Rough* cell = gains.scan.cells + static_cast<std::size_t>(first + step * i) * width;
    if (cell[count] == 0) continue;
    add(cell, width, near);
    if (near[count] < gains.smallest) continue;
    if (gains.scan.totals[count] - near[count] < gains.smallest) break;
    subtract(gains.scan.totals, near, width, far);
    const float gain = most_gain(near, half, count, gains.least_weight, terms) +
                       most_gain(far, half, count, gains.least_weight, terms);
    highest = std::max(highest, gain);
  }
  return highest;
}

}  // namespace

FRUGALBOOST_CLONES
void round_down(const RealRows& real, const Row* rows, Range range, RoughUnit unit,
                std::size_t half, Rough* values) {
  const std::size_t n = real.n_outputs;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::size_t row = rows == nullptr ? i : rows[i];
    const Sum* from = real.values + row * 2 * n;
    Rough* out = values + row * 2 * half;
    std::fill(out + n, out + 2 * half, Rough{0});
    for (std::size_t k = 0; k < n; ++k) {
      out[k] = static_cast<Rough>(from[k] >> unit.weight);
      out[half + k] = static_cast<Rough>(from[n + k] >> unit.numerator);
    }
    out[n] = 1;
  }
}

FRUGALBOOST_CLONES
Sum largest_numerators(const RealRows& real, const Row* rows, Range range) {
  const std::size_t n = real.n_outputs;
  std::vector<Sum> sums(n, 0);
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::size_t row = rows == nullptr ? i : rows[i];
    const Sum* from = real.values + row * 2 * n + n;
    for (std::size_t k = 0; k < n; ++k) sums[k] += from[k] < 0 ? -from[k] : from[k];
  }
  return *std::max_element(sums.begin(), sums.end());
}

FRUGALBOOST_CLONES
float highest_rough_gain(const RoughGains& gains) {
  constexpr std::size_t usual = 16;
  const RoughScan& scan = gains.scan;
  Rough on_stack[5 * usual];
  std::vector<Rough> on_heap(scan.half > usual ? 5 * scan.half : 0);
  Rough* scratch = on_heap.empty() ? on_stack : on_heap.data();
  return with_half(scan.half, [&](auto half) FRUGALBOOST_LAMBDA {
    const int rest = scan.rest_code < 0 ? scan.n_bins - 1 : scan.rest_code;
    return std::max(run(gains, half, 0, 1, std::min(rest, scan.n_bins - 1), scratch),
                    run(gains, half, scan.n_bins - 1, -1, scan.n_bins - 1 - rest, scratch));
  });
}

}  // namespace frugalboost
