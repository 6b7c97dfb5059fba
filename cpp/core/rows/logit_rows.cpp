#include "core/rows/logit_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/rows/repeat.hpp"
#include "core/rows/row_passes.hpp"

namespace frugalboost {
namespace {

// Numbers handled at a time: they stay in the first cache between two steps.
constexpr std::size_t block = 512;

// Weight (curvature) and numerator (residual) times the scale; `top` becomes the numerator.
FRUGALBOOST_CLONES
void weigh(double* top, const double* bottom, const double* scales, std::size_t n,
           LogitLimits limits, double* weights) {
  const double per_response = 1.0 / limits.largest_response;
  const double smallest_curvature = limits.smallest_curvature;
  for (std::size_t i = 0; i < n; ++i) {
    const double residual = top[i] / bottom[i];
    const double curvature = curvature_of(std::abs(residual), per_response, smallest_curvature);
    weights[i] = std::max(scales[i] * curvature, std::numeric_limits<double>::min());
    top[i] = residual * scales[i];
  }
}

}  // namespace

void logit_rows(const double* decision, const std::int64_t* labels, const double* scales,
                std::size_t n_rows, std::size_t n_outputs, LogitLimits limits, double* weights,
                double* numerators, int n_threads) {
  const std::size_t step = std::max<std::size_t>(1, block / n_outputs);
  for_rows(n_rows, n_outputs, n_threads, [&](std::size_t first, std::size_t last) {
    std::vector<double> bottom(step * n_outputs), repeated(step * n_outputs);
    for (std::size_t begin = first; begin < last; begin += step) {
      const std::size_t at = begin * n_outputs, n = std::min(step, last - begin);
      double* top = numerators + at;
      if (n_outputs == 1)
        two_class_residuals(decision + at, labels + begin, n, top, bottom.data());
      else
        softmax_residuals(decision + at, labels + begin, n, n_outputs, top, bottom.data());
      const double* scale = repeat(scales + begin, n, n_outputs, repeated.data());
      weigh(top, bottom.data(), scale, n * n_outputs, limits, weights + at);
    }
  });
}

}  // namespace frugalboost
