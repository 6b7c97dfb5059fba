#include "core/rows/logit_targets.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/rows/exponential.hpp"
#include "core/rows/pair_rows.hpp"
#include "core/rows/rounding.hpp"
#include "core/rows/scales.hpp"
#include "core/rows/squares.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

// Numbers handled at a time: they stay in the first cache between two steps.
constexpr std::size_t block_size = 512;

constexpr Packing packing{real_weight_bits};

// Sums of a block of one output.
struct BlockSums {
  Sum packed = 0, sizes = 0, squares = 0;
};

struct Scales {
  double weight, numerator;  // 2^unit of each
};

// Residual and curvature as integers, packed. The units keep both below 2^32, where they are
// rounded rightly; returns whether the squares were small enough. `scales` is never null: where it
// might be, compilers load it under a mask, and a masked load of no memory takes a hundred times as
// long.
FRUGALBOOST_CLONES
bool pack_block(const double* top, const double* bottom, const double* scales, std::size_t n,
                LogitLimits limits, Scales units, Sum* out, BlockSums& sums) {
  const double per_response = 1.0 / limits.largest_response;
  Sum sum = 0, sizes = 0, squares = 0, n_large = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double residual = top[i] / bottom[i];
    const double scale = scales[i];
    const double curvature =
        curvature_of(std::abs(residual), per_response, limits.smallest_curvature);
    const double weight = rounded(scale * curvature * units.weight);
    const double w = weight < 1.0 ? 1.0 : weight;
    const double p = rounded(residual * scale * units.numerator);
    const Sum numerator = integer_of(p);
    const Sum packed = packing.pack(integer_of(w), numerator);
    const double square = (p * p / w) * square_correction(p);
    out[i] = packed;
    sum += packed;
    sizes += numerator < 0 ? -numerator : numerator;
    squares += integer_of(rounded_up(square));
    n_large += square < roundable ? 0 : 1;
  }
  sums = {sum, sizes, squares};
  return n_large == 0;
}

// Adds what each row's leaf says, for one output.
FRUGALBOOST_CLONES
void add_said(const double* values, const std::int32_t* nodes, std::size_t n, double* decision) {
  for (std::size_t i = 0; i < n; ++i) decision[i] += values[nodes[i]];
}

// The same for several outputs.
void add_said(const double* values, const std::int32_t* nodes, std::size_t n, std::size_t n_outputs,
              double* decision) {
  for (std::size_t i = 0; i < n; ++i, decision += n_outputs) {
    const double* said = values + static_cast<std::size_t>(nodes[i]) * n_outputs;
    for (std::size_t k = 0; k < n_outputs; ++k) decision[k] += said[k];
  }
}

// Squares of any size: a row of small weight among rows that are surer by far can have a large one.
Sum squares_of_block(const Sum* packed, std::size_t n) {
  Sum squares = 0;
  for (std::size_t i = 0; i < n; ++i)
    squares += square_share(packing.numerator(packed[i]), packing.weight(packed[i]));
  return squares;
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
  explicit Block(std::size_t n) : top(n), bottom(n), scales(n, 1.0), packed(n) {}
  std::vector<double> top, bottom, scales;  // all ones unless rows have scales
  std::vector<Sum> packed;
};

struct LogitTargets::Totals {
  Totals(std::size_t n_channels, std::size_t n_outputs)
      : packed(n_channels, 0), sizes(n_outputs, 0) {}
  std::vector<Sum> packed, sizes;  // by channel, by output
  Sum squares = 0;

  void add(const Totals& other) {
    for (std::size_t k = 0; k < packed.size(); ++k) packed[k] += other.packed[k];
    for (std::size_t k = 0; k < sizes.size(); ++k) sizes[k] += other.sizes[k];
    squares += other.squares;
  }
};

// What a pass does to the decisions: `values` null for starting at zero.
struct LogitTargets::Step {
  const double* values;
  const std::int32_t* node_of_row;
  LogitUnits units;  // of what comes of it
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
    largest_scale_ = largest_of(scales_, n_, n_threads_);
    // In this order: models have come by their units with it.
    total_scale_ = std::accumulate(scales_, scales_ + n_, 0.0);
  }
  decision_.room_for(n_ * static_cast<std::size_t>(n_outputs_));
  packed_.room_for(n_ * static_cast<std::size_t>(n_channels_));
  reset();
}

void LogitTargets::reset() {
  pass({nullptr, nullptr, units_after(1.0, total_scale_, total_scale_)});
}

void LogitTargets::advance(const double* values, std::size_t n_nodes,
                           const std::int32_t* node_of_row) {
  double furthest = 0.0;
  for (std::size_t i = 0; i < n_nodes * static_cast<std::size_t>(n_outputs_); ++i)
    furthest = std::max(furthest, std::abs(values[i]));
  // A probability of several classes also depends on the others' decisions.
  double growth = (n_outputs_ == 1 ? 1.0 : 2.0) * furthest;
  exponentiate(&growth, 1);
  pass({values, node_of_row, units_after(growth, weight_, size_)});
}

// Rounding adds less than a unit to each weight, and half a unit to each numerator. Twice as much
// is spared, but never so much that nothing is left: from 2^31 rows on no unit would do.
LogitUnits logit_units(double weight, double size, std::size_t n) {
  constexpr double most = 1.0 - 0x1p-6;
  const double weights = std::ldexp(1.0, real_weight_bits), sizes = std::ldexp(1.0, real_size_bits);
  const double spare = std::min(2.0 * static_cast<double>(n), most * weights);
  LogitUnits units{exponent_below(weight, real_weight_bits), exponent_below(size, real_size_bits)};
  while (weight * std::ldexp(1.0, units.weight) + spare >= weights) --units.weight;
  while (size * std::ldexp(1.0, units.numerator) + spare / 2 >= sizes) --units.numerator;
  return units;
}

LogitUnits LogitTargets::units_after(double growth, double weight, double size) const {
  const double most_curvature = std::max(0.25, 1.0 / limits_.largest_response);
  const double margin = growth * (1.0 + 0x1p-20);
  return logit_units(std::min(weight * margin, total_scale_ * most_curvature),
                     std::min(size * margin, total_scale_), n_);
}

// All memory is there before the first decision moves: for want of it, everything stays as it was.
void LogitTargets::pass(const Step& step) {
  const auto n_outputs = static_cast<std::size_t>(n_outputs_);
  const std::size_t rows_at_once = std::max<std::size_t>(1, block_size / n_outputs);
  const std::size_t n_blocks = (n_ + rows_at_once - 1) / rows_at_once;
  const std::size_t n_slices = shared_slices_worth(n_ * n_outputs, rows_worth_a_thread, n_threads_);
  const std::size_t n_team = std::min(n_slices, static_cast<std::size_t>(n_threads_));
  std::vector<Totals> totals(n_team, Totals(static_cast<std::size_t>(n_channels_), n_outputs));
  std::vector<Block> blocks(n_team, Block(rows_at_once * n_outputs));
  parallel_shared_slices(
      n_blocks, n_slices, n_threads_, [&](std::size_t, std::size_t begin, std::size_t end) {
        const int thread = n_team == 1 ? 0 : this_thread();
        for (std::size_t b = begin; b < end; ++b)
          pass_rows(step, {b * rows_at_once, std::min(n_, (b + 1) * rows_at_once)}, blocks[thread],
                    totals[thread]);
      });
  for (std::size_t thread = 1; thread < n_team; ++thread) totals[0].add(totals[thread]);
  units_ = step.units;
  totals_ = std::move(totals[0].packed);
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

void LogitTargets::pass_rows(const Step& step, Range rows, Block& block, Totals& totals) {
  const auto n_outputs = static_cast<std::size_t>(n_outputs_);
  const std::size_t n = rows.size() * n_outputs;
  double* decision = decision_.data() + rows.begin * n_outputs;
  if (step.values == nullptr)
    std::fill_n(decision, n, 0.0);
  else if (n_outputs == 1)
    add_said(step.values, step.node_of_row + rows.begin, n, decision);
  else
    add_said(step.values, step.node_of_row + rows.begin, rows.size(), n_outputs, decision);
  find_residuals(rows, block);
  if (scales_ != nullptr)
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::fill_n(block.scales.data() + i * n_outputs, n_outputs, scales_[rows.begin + i]);
  Sum* out = n_outputs == 1 ? packed_.data() + rows.begin : block.packed.data();
  const Scales units{std::ldexp(1.0, step.units.weight), std::ldexp(1.0, step.units.numerator)};
  BlockSums sums;
  if (!pack_block(block.top.data(), block.bottom.data(), block.scales.data(), n, limits_, units,
                  out, sums))
    sums.squares = squares_of_block(out, n);
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
  totals.packed[n_outputs] += static_cast<Sum>(rows.size());
}

void LogitTargets::find_residuals(Range rows, Block& block) const {
  const auto n_outputs = static_cast<std::size_t>(n_outputs_);
  const double* decision = decision_.data() + rows.begin * n_outputs;
  if (n_outputs > 1)
    return softmax_residuals(decision, labels_ + rows.begin, rows.size(), n_outputs,
                             block.top.data(), block.bottom.data());
  two_class_residuals(decision, two_labels_ + rows.begin, rows.size(), block.top.data(),
                      block.bottom.data());
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
