// Weights of examples that boosting raises or lowers by leaf and label, as fixed-point numbers.
//
// A round of discrete AdaBoost changes the weights of misclassified rows only. Here nothing else is
// touched: the others keep their integer to the bit, and the changed ones are listed, so that a
// root's histograms can be brought up to date from them alone.
#pragma once

#include <vector>

#include "core/problem.hpp"

namespace frugalboost {

class GrowingWeights {
 public:
  // `labels` (n) below n_classes and `sample_weight` (n), positive, or null for all ones, must
  // outlive the weights.
  GrowingWeights(const Row* labels, const double* sample_weight, std::size_t n, int n_classes);

  // Back to the sample weights.
  void reset();

  // The logarithm of each weight rises by rise[node_of_row][label]; `rise` has n_classes columns.
  void advance(const double* rise, std::size_t n_nodes, const std::int32_t* node_of_row);

  std::size_t size() const { return n_; }
  int n_classes() const { return n_classes_; }
  // Integer = weight * 2^exponent, rounded, at least 1. For two classes those of class 0 are
  // negative: see Problem.
  const std::vector<Sum>& fixed() const { return fixed_; }
  int exponent() const { return exponent_; }
  // Of the magnitudes.
  Sum total() const { return total_; }

  Problem problem() const;

  // Rows by about decreasing weight: those within a quarter of a power of two stay in the order of
  // the table. The heavy ones come first: at least `share` of the weight, at most all rows.
  // Returns how many those are.
  std::size_t sort_by_weight(double share, std::vector<Row>& rows) const;

 private:
  template <class RowOf>
  double find_weights(std::size_t n, RowOf&& row_of);
  Sum fixed_of(std::size_t row, double weight) const;
  void convert_all();
  bool convert_changed();
  void list_changes(const double* rise, const std::int32_t* node_of_row, std::size_t n_entries);
  bool has_new_base() const;
  void raise_all(const double* rise, const std::int32_t* node_of_row);
  bool fits(double total) const;
  Sum magnitude_of(Sum fixed) const { return fixed < 0 ? -fixed : fixed; }

  const Row* labels_;
  const double* sample_weight_;
  std::size_t n_;
  int n_classes_;
  double sample_scale_ = 1.0;  // power of two
  double base_ = 0.0;          // subtracted from all logarithms
  int exponent_ = 0;
  double scale_ = 0.0;  // 2^exponent, or 0 where that is no normal number
  bool has_exponent_ = false;
  Sum total_ = 0;
  std::vector<double> log_weight_;
  std::vector<Sum> fixed_;
  std::vector<std::uint8_t> is_change_;
  std::vector<Row> changed_;
  std::vector<Sum> amounts_;
  std::vector<double> new_weights_;
  Changes changes_;
};

}  // namespace frugalboost
