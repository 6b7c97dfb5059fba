#include "core/rows/logit_targets.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/dispatch.hpp"
#include "core/rows/exponential.hpp"
#include "core/rows/rounding.hpp"
#include "core/rows/squares.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

// Numbers handled at a time: they stay in the first cache between two steps.
constexpr std::size_t block_size = 512;

constexpr Packing packing{32};

// Sums of a block of one output.
struct BlockSums {
  Sum packed = 0, sizes = 0, squares = 0;
};

// Label minus probability is sign / (1 + exp(sign * decision)): the decision is the log odds of the
// second class. `top` becomes the sign, `bottom` the exponent.
FRUGALBOOST_CLONES
void two_class_exponents(const double* decision, const std::uint8_t* labels, std::size_t n,
                         double* top, double* bottom) {
  for (std::size_t i = 0; i < n; ++i) {
    top[i] = labels[i] != 0 ? 1.0 : -1.0;
    bottom[i] = top[i] * decision[i];
  }
}

// Label minus softmax as top / bottom.
void softmax_residuals(const double* decision, const Row* labels, std::size_t n_rows,
                       std::size_t n_outputs, double* top, double* bottom) {
  for (std::size_t i = 0; i < n_rows; ++i) {
    const double* of_row = decision + i * n_outputs;
    double largest = of_row[0];
    for (std::size_t k = 1; k < n_outputs; ++k) largest = std::max(largest, of_row[k]);
    for (std::size_t k = 0; k < n_outputs; ++k) top[i * n_outputs + k] = of_row[k] - largest;
  }
  exponentiate(top, n_rows * n_outputs);
  for (std::size_t i = 0; i < n_rows; ++i, top += n_outputs, bottom += n_outputs) {
    const double own = top[labels[i]];
    top[labels[i]] = 0.0;
    double others = 0.0;
    for (std::size_t k = 0; k < n_outputs; ++k) others += top[k];
    // 1 - p as the share of the others: the difference would be 0 from p = 1 - 1e-16 on.
    top[labels[i]] = -others;
    for (std::size_t k = 0; k < n_outputs; ++k) bottom[k] = -(others + own);
  }
}

struct Scales {
  double weight, numerator;  // 2^unit of each
};

// Residual and curvature as integers, packed. `scales` may be null for all ones.
FRUGALBOOST_CLONES
BlockSums pack_block(const double* top, const double* bottom, const double* scales, std::size_t n,
                     LogitLimits limits, Scales units, Sum* out) {
  const double per_response = 1.0 / limits.largest_response;
  Sum sum = 0, sizes = 0, squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double residual = top[i] / bottom[i], size = std::abs(residual);
    const double scale = scales != nullptr ? scales[i] : 1.0;
    // size * (1 - size) is p (1 - p). Where that is too small for the row's own step to stay
    // within the limit it is raised: cutting the residual, as the paper does, bends the gradient.
    double curvature = size * (1.0 - size);
    curvature = std::max(curvature, size * per_response);
    curvature = std::max(curvature, limits.smallest_curvature);
    const double weight = rounded(scale * curvature * units.weight);
    const double w = weight < 1.0 ? 1.0 : weight;
    const double p = rounded(residual * scale * units.numerator);
    const Sum numerator = integer_of(p);
    const Sum packed = packing.pack(integer_of(w), numerator);
    out[i] = packed;
    sum += packed;
    sizes += numerator < 0 ? -numerator : numerator;
    squares += integer_of(rounded_up((p * p / w) * square_correction(p)));
  }
  return {sum, sizes, squares};
}

// The largest e with number * 2^e at most 2^bits.
int exponent_below(double number, int bits) {
  int magnitude = 0;
  std::frexp(number, &magnitude);
  return bits - magnitude;
}

}  // namespace

// Room for some rows while they are handled.
struct LogitTargets::Block {
  explicit Block(std::size_t n) : top(n), bottom(n), scales(n), packed(n) {}
  std::vector<double> top, bottom, scales;
  std::vector<Sum> packed;
};

struct LogitTargets::Totals {
  explicit Totals(std::size_t n_outputs) : packed(n_outputs, 0), sizes(n_outputs, 0) {}
  std::vector<Sum> packed, sizes;
  Sum squares = 0;

  void add(const Totals& other) {
    for (std::size_t k = 0; k < packed.size(); ++k) packed[k] += other.packed[k];
    for (std::size_t k = 0; k < sizes.size(); ++k) sizes[k] += other.sizes[k];
    squares += other.squares;
  }
};

LogitTargets::LogitTargets(const std::uint8_t* labels, const double* scales, std::size_t n,
                           LogitLimits limits, int n_threads)
    : two_labels_(labels),
      scales_(scales),
      n_(n),
      n_outputs_(1),
      n_channels_(1),
      n_threads_(n_threads),
      limits_(limits) {
  start();
}

LogitTargets::LogitTargets(const Row* labels, const double* scales, std::size_t n, int n_classes,
                           LogitLimits limits, int n_threads)
    : labels_(labels),
      scales_(scales),
      n_(n),
      n_outputs_(n_classes),
      n_channels_(n_classes + 1),
      n_threads_(n_threads),
      limits_(limits) {
  start();
}

void LogitTargets::start() {
  total_scale_ = static_cast<double>(n_);
  if (scales_ != nullptr) {
    largest_scale_ = *std::max_element(scales_, scales_ + n_);
    total_scale_ = std::accumulate(scales_, scales_ + n_, 0.0);
  }
  decision_.room_for(n_ * static_cast<std::size_t>(n_outputs_));
  packed_.room_for(n_ * static_cast<std::size_t>(n_channels_));
  reset();
}

void LogitTargets::reset() {
  weight_ = size_ = total_scale_;
  choose_units(1.0);
  pass(nullptr, nullptr);
}

void LogitTargets::advance(const double* values, std::size_t n_nodes,
                           const std::int32_t* node_of_row) {
  double furthest = 0.0;
  for (std::size_t i = 0; i < n_nodes * static_cast<std::size_t>(n_outputs_); ++i)
    furthest = std::max(furthest, std::abs(values[i]));
  // A probability of several classes also depends on the others' decisions.
  double growth = (n_outputs_ == 1 ? 1.0 : 2.0) * furthest;
  exponentiate(&growth, 1);
  choose_units(growth);
  pass(values, node_of_row);
}

// All weights of an output must stay below 2^32, and all sizes of its numerators below 2^31.
// Rounding adds less than a unit to each.
void LogitTargets::choose_units(double growth) {
  const double most_curvature = std::max(0.25, 1.0 / limits_.largest_response);
  const double margin = growth * (1.0 + 0x1p-20);
  const double weight = std::min(weight_ * margin, total_scale_ * most_curvature);
  const double size = std::min(size_ * margin, total_scale_);
  const double spare = 2.0 * static_cast<double>(n_);
  units_ = {exponent_below(weight, 32), exponent_below(size, 31)};
  while (weight * std::ldexp(1.0, units_.weight) + spare >= 0x1p32) --units_.weight;
  while (size * std::ldexp(1.0, units_.numerator) + spare / 2 >= 0x1p31) --units_.numerator;
}

void LogitTargets::pass(const double* values, const std::int32_t* node_of_row) {
  const auto n_outputs = static_cast<std::size_t>(n_outputs_);
  const std::size_t step = std::max<std::size_t>(1, block_size / n_outputs);
  const std::size_t n_blocks = (n_ + step - 1) / step;
  const std::size_t n_slices = slices_worth(n_ * n_outputs, rows_worth_a_thread, n_threads_);
  std::vector<Totals> totals(n_slices, Totals(n_outputs));
  parallel_slices(n_blocks, n_slices, [&](std::size_t slice, std::size_t begin, std::size_t end) {
    Block block(step * n_outputs);
    for (std::size_t b = begin; b < end; ++b)
      pass_rows(values, node_of_row, {b * step, std::min(n_, (b + 1) * step)}, block,
                totals[slice]);
  });
  for (std::size_t slice = 1; slice < n_slices; ++slice) totals[0].add(totals[slice]);
  totals_ = totals[0].packed;
  if (n_outputs_ > 1) totals_.push_back(static_cast<Sum>(n_));
  mass_ = totals[0].squares;
  weight_ = size_ = 0.0;
  for (std::size_t k = 0; k < n_outputs; ++k) {
    weight_ = std::max(weight_, static_cast<double>(packing.weight(totals_[k])));
    size_ = std::max(size_, static_cast<double>(totals[0].sizes[k]));
  }
  // Rounding has taken off less than a unit of each.
  weight_ = std::ldexp(weight_ + static_cast<double>(n_), -units_.weight);
  size_ = std::ldexp(size_ + static_cast<double>(n_), -units_.numerator);
}

void LogitTargets::pass_rows(const double* values, const std::int32_t* node_of_row, Range rows,
                             Block& block, Totals& totals) {
  const auto n_outputs = static_cast<std::size_t>(n_outputs_);
  const std::size_t n = rows.size() * n_outputs;
  double* decision = decision_.data() + rows.begin * n_outputs;
  if (values == nullptr)
    std::fill_n(decision, n, 0.0);
  else
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double* said =
          values + static_cast<std::size_t>(node_of_row[rows.begin + i]) * n_outputs;
      for (std::size_t k = 0; k < n_outputs; ++k) decision[i * n_outputs + k] += said[k];
    }
  find_residuals(rows, block);
  if (scales_ != nullptr)
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::fill_n(block.scales.data() + i * n_outputs, n_outputs, scales_[rows.begin + i]);
  Sum* out = n_outputs == 1 ? packed_.data() + rows.begin : block.packed.data();
  const BlockSums sums = pack_block(
      block.top.data(), block.bottom.data(), scales_ != nullptr ? block.scales.data() : nullptr, n,
      limits_, {std::ldexp(1.0, units_.weight), std::ldexp(1.0, units_.numerator)}, out);
  totals.squares += sums.squares;
  if (n_outputs == 1) {
    totals.packed[0] += sums.packed;
    totals.sizes[0] += sums.sizes;
    return;
  }
  const Sum* from = out;
  Sum* to = packed_.data() + rows.begin * static_cast<std::size_t>(n_channels_);
  for (std::size_t i = 0; i < rows.size(); ++i, from += n_outputs, to += n_channels_) {
    for (std::size_t k = 0; k < n_outputs; ++k) {
      to[k] = from[k];
      totals.packed[k] += from[k];
      totals.sizes[k] += std::abs(packing.numerator(from[k]));
    }
    to[n_outputs] = 1;
  }
}

void LogitTargets::find_residuals(Range rows, Block& block) const {
  const auto n_outputs = static_cast<std::size_t>(n_outputs_);
  const double* decision = decision_.data() + rows.begin * n_outputs;
  if (n_outputs > 1)
    return softmax_residuals(decision, labels_ + rows.begin, rows.size(), n_outputs,
                             block.top.data(), block.bottom.data());
  two_class_exponents(decision, two_labels_ + rows.begin, rows.size(), block.top.data(),
                      block.bottom.data());
  exponentiate(block.bottom.data(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) block.bottom[i] += 1.0;
}

Problem LogitTargets::problem() const {
  Problem problem;
  problem.layout = Layout::real;
  problem.n_outputs = n_outputs_;
  problem.n_rows = n_;
  problem.weights = packed_.data();
  problem.packing = packing;
  const double most_curvature = std::max(0.25, 1.0 / limits_.largest_response);
  problem.largest_weight =
      static_cast<Sum>(std::ldexp(most_curvature * largest_scale_, units_.weight)) + 2;
  problem.total_mass = mass_;
  problem.totals = totals_.data();
  return problem;
}

}  // namespace frugalboost
