// What LogitBoost asks a tree to fit, kept from round to round: one pass over the rows a round.
//
// Each row has a decision; its residual and curvature (label minus probability, p (1 - p)) become a
// packed pair of integers in the same pass that adds the last tree to the decision. The units must
// be known by then. They follow from the last round's sums: no residual or curvature can have grown
// by more than the exponential of how far the tree has moved its row.
#pragma once

#include <vector>

#include "core/base/problem.hpp"
#include "core/base/scratch.hpp"
#include "core/rows/logit_residuals.hpp"

namespace frugalboost {

// Integer = number * 2^exponent, rounded, at least 1 for weights.
struct LogitUnits {
  int weight = 0, numerator = 0;
};

// The finest units in which weights of n rows with at most this sum stay below 2^32 together, and
// numerators with at most this sum of sizes below 2^31. For n up to 2^32 - 2^26.
LogitUnits logit_units(double weight, double size, std::size_t n);

class LogitTargets {
 public:
  // Labels of two classes, or of K; `scales` (n), positive and at most 2, or null for all ones.
  // Both must outlive the targets.
  LogitTargets(const std::uint8_t* labels, const double* scales, std::size_t n, LogitLimits limits,
               int n_threads);
  LogitTargets(const Row* labels, const double* scales, std::size_t n, int n_classes,
               LogitLimits limits, int n_threads);
  LogitTargets(const LogitTargets&) = delete;
  LogitTargets& operator=(const LogitTargets&) = delete;

  // Back to decisions of zero.
  void reset();

  // Adds values[node_of_row] to the decisions; `values` has a row for each node and a column for
  // each output.
  void advance(const double* values, std::size_t n_nodes, const std::int32_t* node_of_row);

  std::size_t size() const { return n_; }
  int n_outputs() const { return n_outputs_; }
  int weight_exponent() const { return units_.weight; }
  int numerator_exponent() const { return units_.numerator; }
  Problem problem() const;

 private:
  struct Block;
  struct Totals;
  struct Step;

  void start();
  LogitUnits units_after(double growth, double weight, double size) const;
  void pass(const Step& step);
  void pass_rows(const Step& step, Range rows, Block& block, Totals& totals);
  void find_residuals(Range rows, Block& block) const;

  const std::uint8_t* two_labels_ = nullptr;  // either these
  const Row* labels_ = nullptr;               // or those
  const double* scales_;
  std::size_t n_;
  int n_outputs_, n_channels_, n_threads_;
  LogitLimits limits_;
  double largest_scale_ = 1.0, total_scale_ = 0.0;
  double weight_ = 0.0,
         size_ = 0.0;  // the largest sums of an output's weights, sizes of numerators
  LogitUnits units_;
  Scratch<double> decision_;  // (n, outputs)
  Scratch<Sum> packed_;       // (n, channels)
  std::vector<Sum> totals_;   // by channel
  Sum mass_ = 0;
};

}  // namespace frugalboost
