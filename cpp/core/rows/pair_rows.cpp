#include "core/rows/pair_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/dispatch.hpp"
#include "core/rows/exponential.hpp"
#include "core/rows/repeat.hpp"
#include "core/rows/row_passes.hpp"
#include "core/rows/scales.hpp"

namespace frugalboost {
namespace {

constexpr std::size_t lanes = 8;

// Numbers handled at a time: they stay in the first cache between two steps.
constexpr std::size_t block = 512;

// A zero weight would take the row out of the leaf that holds it.
constexpr double smallest_weight = std::numeric_limits<double>::min();

FRUGALBOOST_CLONES
double largest_of_slice(const double* values, std::size_t n) {
  double largest[lanes];
  std::fill(largest, largest + lanes, -std::numeric_limits<double>::infinity());
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane)
      largest[lane] = largest[lane] < values[i + lane] ? values[i + lane] : largest[lane];
  for (; i < n; ++i) largest[0] = std::max(largest[0], values[i]);
  return *std::max_element(largest, largest + lanes);
}

double base_of(double largest) { return weight_band * std::trunc(largest / weight_band); }

FRUGALBOOST_CLONES
void subtract(const double* values, std::size_t n, double base, double* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = values[i] - base;
}

FRUGALBOOST_CLONES
void subtract_from_negative(const double* values, std::size_t n, double base, double* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = (values[i] < 0.0 ? values[i] : 0.0) - base;
}

// 1 / (1 + exp(-x)), by the exponential of -|x| alone, which cannot overflow.
FRUGALBOOST_CLONES
void logistic(const double* x, std::size_t n, double* scratch, double* out) {
  for (std::size_t i = 0; i < n; ++i) scratch[i] = -std::abs(x[i]);
  exponentiate(scratch, n);
  for (std::size_t i = 0; i < n; ++i) out[i] = (x[i] < 0.0 ? scratch[i] : 1.0) / (1.0 + scratch[i]);
}

FRUGALBOOST_CLONES
void scale_by(const double* scales, std::size_t n, double* weights) {
  for (std::size_t i = 0; i < n; ++i) {
    const double weight = weights[i] * scales[i];
    weights[i] = weight < smallest_weight ? smallest_weight : weight;
  }
}

// `weigh(values, n, scratch, out)` block by block, then times the scales.
template <class Weigh>
void in_blocks(const double* values, const double* scales, std::size_t n_rows,
               std::size_t n_outputs, double* out, int n_threads, Weigh&& weigh) {
  const std::size_t step = std::max<std::size_t>(1, block / n_outputs);
  for_rows(n_rows, n_outputs, n_threads, [&](std::size_t first, std::size_t last) {
    std::vector<double> scratch(step * n_outputs);
    for (std::size_t begin = first; begin < last; begin += step) {
      const std::size_t n = std::min(step, last - begin), at = begin * n_outputs;
      weigh(values + at, n * n_outputs, scratch.data(), out + at);
      scale_by(repeat(scales + begin, n, n_outputs, scratch.data()), n * n_outputs, out + at);
    }
  });
}

void negative_margins(const double* scores, const std::int64_t* labels, std::size_t n_rows,
                      std::size_t n_outputs, double* out) {
  if (n_outputs == 1) {
    // A product and no branch: labels cannot be predicted.
    for (std::size_t i = 0; i < n_rows; ++i)
      out[i] = static_cast<double>(1 - 2 * labels[i]) * scores[i];
    return;
  }
  std::copy(scores, scores + n_rows * n_outputs, out);
  for (std::size_t i = 0; i < n_rows; ++i)
    out[i * n_outputs + labels[i]] = -scores[i * n_outputs + labels[i]];
}

// The largest of what find(begin, end) returns for slices of the rows.
template <class Find>
double largest_of_rows(std::size_t n_rows, std::size_t n_outputs, int n_threads, Find&& find) {
  return join_rows(n_rows, n_outputs, n_threads, -std::numeric_limits<double>::infinity(), find,
                   [](double& all, double part) { all = std::max(all, part); });
}

void weigh_exponentials(const double* log_weights, const double* scales, std::size_t n_rows,
                        std::size_t n_outputs, double base, double* weights, int n_threads) {
  in_blocks(log_weights, scales, n_rows, n_outputs, weights, n_threads,
            [base](const double* values, std::size_t n, double*, double* out) {
              subtract(values, n, base, out);
              exponentiate(out, n);
            });
}

}  // namespace

double largest_of(const double* values, std::size_t n, int n_threads) {
  return largest_of_rows(n, 1, n_threads, [values](std::size_t begin, std::size_t end) {
    return largest_of_slice(values + begin, end - begin);
  });
}

void exponential_weights(const double* log_weights, const double* scales, std::size_t n_rows,
                         std::size_t n_outputs, double* weights, int n_threads) {
  const double base = base_of(largest_of(log_weights, n_rows * n_outputs, n_threads));
  weigh_exponentials(log_weights, scales, n_rows, n_outputs, base, weights, n_threads);
}

void pair_weights(const double* scores, const std::int64_t* labels, const double* scales,
                  std::size_t n_rows, std::size_t n_outputs, PairWeight kind, double* weights,
                  int n_threads) {
  const double largest =
      largest_of_rows(n_rows, n_outputs, n_threads, [&](std::size_t begin, std::size_t end) {
        const std::size_t at = begin * n_outputs, n = end - begin;
        negative_margins(scores + at, labels + begin, n, n_outputs, weights + at);
        return largest_of_slice(weights + at, n * n_outputs);
      });
  if (kind == PairWeight::exponential)
    return weigh_exponentials(weights, scales, n_rows, n_outputs, base_of(largest), weights,
                              n_threads);
  // Neither weight exceeds 1, so the base is 0 unless all margins are far beyond it. There both
  // weights are exp(-m) to the last bit.
  const double base = base_of(std::min(0.0, largest));
  const bool is_logistic = kind == PairWeight::logistic && base == 0.0;
  in_blocks(weights, scales, n_rows, n_outputs, weights, n_threads,
            [=](const double* values, std::size_t n, double* scratch, double* out) {
              if (is_logistic) return logistic(values, n, scratch, out);
              subtract_from_negative(values, n, base, out);
              exponentiate(out, n);
            });
}

}  // namespace frugalboost
