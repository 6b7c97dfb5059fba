#include "core/rows/logit_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/dispatch.hpp"
#include "core/rows/exponential.hpp"
#include "core/rows/repeat.hpp"

namespace frugalboost {
namespace {

// Numbers handled at a time: they stay in the first cache between two steps.
constexpr std::size_t block = 512;

// Rows of a block. A residual will be top / bottom.
struct Rows {
  const double* decision;
  const std::int64_t* labels;
  const double* scales;
  std::size_t n_rows;
  std::size_t n_outputs;
};

// Label minus probability is sign / (1 + exp(sign * decision)): the decision is the log odds of the
// second class.
void two_class_residuals(const Rows& rows, double* top, double* bottom) {
  for (std::size_t i = 0; i < rows.n_rows; ++i) {
    top[i] = static_cast<double>(2 * rows.labels[i] - 1);
    bottom[i] = top[i] * rows.decision[i];
  }
  exponentiate(bottom, rows.n_rows);
  for (std::size_t i = 0; i < rows.n_rows; ++i) bottom[i] += 1.0;
}

// Label minus softmax.
void softmax_residuals(const Rows& rows, double* top, double* bottom) {
  const std::size_t n_outputs = rows.n_outputs;
  for (std::size_t i = 0; i < rows.n_rows; ++i) {
    const double* decision = rows.decision + i * n_outputs;
    double largest = decision[0];
    for (std::size_t k = 1; k < n_outputs; ++k)
      largest = largest < decision[k] ? decision[k] : largest;
    for (std::size_t k = 0; k < n_outputs; ++k) top[i * n_outputs + k] = decision[k] - largest;
  }
  exponentiate(top, rows.n_rows * n_outputs);
  for (std::size_t i = 0; i < rows.n_rows; ++i, top += n_outputs, bottom += n_outputs) {
    const double own = top[rows.labels[i]];
    top[rows.labels[i]] = 0.0;
    double others = 0.0;
    for (std::size_t k = 0; k < n_outputs; ++k) others += top[k];
    // 1 - p as the share of the others: the difference would be 0 from p = 1 - 1e-16 on.
    top[rows.labels[i]] = -others;
    for (std::size_t k = 0; k < n_outputs; ++k) bottom[k] = -(others + own);
  }
}

// Weight (curvature) and numerator (residual) times the scale; `top` becomes the numerator.
FRUGALBOOST_CLONES
void weigh(double* top, const double* bottom, const double* scales, std::size_t n,
           LogitLimits limits, double* weights) {
  const double per_response = 1.0 / limits.largest_response;
  const double smallest_curvature = limits.smallest_curvature;
  for (std::size_t i = 0; i < n; ++i) {
    const double residual = top[i] / bottom[i], size = std::abs(residual);
    // size * (1 - size) is p (1 - p). Where that is too small for the row's own step to stay
    // within the limit it is raised: cutting the residual, as the paper does, bends the gradient.
    double curvature = size * (1.0 - size);
    curvature = std::max(curvature, size * per_response);
    curvature = std::max(curvature, smallest_curvature);
    weights[i] = std::max(scales[i] * curvature, std::numeric_limits<double>::min());
    top[i] = residual * scales[i];
  }
}

}  // namespace

void logit_rows(const double* decision, const std::int64_t* labels, const double* scales,
                std::size_t n_rows, std::size_t n_outputs, LogitLimits limits, double* weights,
                double* numerators) {
  const std::size_t step = std::max<std::size_t>(1, block / n_outputs);
  std::vector<double> bottom(step * n_outputs), repeated(step * n_outputs);
  for (std::size_t begin = 0; begin < n_rows; begin += step) {
    const std::size_t at = begin * n_outputs, n = std::min(step, n_rows - begin);
    const Rows rows{decision + at, labels + begin, scales + begin, n, n_outputs};
    if (n_outputs == 1)
      two_class_residuals(rows, numerators + at, bottom.data());
    else
      softmax_residuals(rows, numerators + at, bottom.data());
    const double* scale = repeat(rows.scales, n, n_outputs, repeated.data());
    weigh(numerators + at, bottom.data(), scale, n * n_outputs, limits, weights + at);
  }
}

}  // namespace frugalboost
