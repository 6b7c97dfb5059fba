// Weights of examples that boosting raises or lowers by leaf and label, as fixed-point numbers.
//
// A round of discrete AdaBoost changes the weights of misclassified rows only. Here nothing else is
// touched: the others keep their integer to the bit, and the changed ones are listed, so that a
// root's histograms can be brought up to date from them alone.
#pragma once

#include <vector>

#include "core/base/problem.hpp"
#include "core/base/scratch.hpp"
#include "core/base/unfilled.hpp"

namespace frugalboost {

class GrowingWeights {
 public:
  // `labels` (n) below n_classes and `sample_weight` (n), positive, or null for all ones, must
  // outlive the weights.
  GrowingWeights(const Row* labels, const double* sample_weight, std::size_t n, int n_classes,
                 int n_threads = 1);
  // Two classes, whose labels fit into a byte.
  GrowingWeights(const std::uint8_t* labels, const double* sample_weight, std::size_t n,
                 int n_threads = 1);

  // Back to the sample weights.
  void reset();

  // The logarithm of each weight rises by rise[node_of_row][label]; `rise` has n_classes columns.
  void advance(const double* rise, std::size_t n_nodes, const std::int32_t* node_of_row,
               int n_threads = 1);

  std::size_t size() const { return n_; }
  int n_classes() const { return n_classes_; }
  // Integer = weight * 2^exponent, rounded, at least 1. For two classes those of class 0 are
  // negative: see Problem.
  const UnfilledVector<Sum>& fixed() const { return fixed_; }
  int exponent() const { return exponent_; }
  // Of the magnitudes.
  Sum total() const { return total_; }

  Problem problem() const;

  // Rows by about decreasing weight: those within a quarter of a power of two stay in the order of
  // the table. The heavy ones come first: at least `share` of the weight, at most all rows.
  // Returns how many those are.
  std::size_t sort_by_weight(double share, std::vector<Row>& rows, int n_threads = 1) const;

 private:
  // What became of a part of the rows.
  struct Part {
    double highest = 0.0;         // logarithm
    double weight = 0.0;          // as a number
    std::uint64_t mass_lost = 0;  // as integers; these can overflow where the scale does not fit
    std::uint64_t mass_won = 0;
  };

  void start();
  template <class Body>
  void for_parts(std::size_t n, Body&& body);
  template <class RowOf>
  double to_weights(std::size_t n, RowOf&& row_of, double* logs) const;
  Sum fixed_of(double weight, Sum last) const;
  double highest_of_parts() const;
  double weight_of_parts() const;
  template <class Use>
  void with_labels(Use&& use) const;
  template <class Label>
  void raise_all(const Label* labels, const double* rise, const std::int32_t* node_of_row);
  template <class Label>
  void list_changes(const Label* labels, const double* rise, std::size_t n_nodes,
                    const std::int32_t* node_of_row);
  template <class Label>
  bool raise_changed(const Label* labels, const double* rise, const std::int32_t* node_of_row);
  bool needs_new_base(double highest) const;
  void convert_all();
  void convert_part(const Row* rows, std::size_t n, double* logs, Sum* amounts, Part& part);
  bool fits(double total) const;

  const std::uint8_t* two_labels_ = nullptr;  // either these
  const Row* labels_ = nullptr;               // or those
  const double* sample_weight_;
  std::size_t n_;
  int n_classes_;
  int n_threads_;
  double sample_scale_ = 1.0;  // power of two
  double base_ = 0.0;          // subtracted from all logarithms
  int exponent_ = 0;
  double scale_ = 0.0;  // 2^exponent, or 0 where that is no normal number
  bool has_exponent_ = false;
  Sum total_ = 0;
  UnfilledVector<double> log_weight_;
  UnfilledVector<Sum> fixed_;
  std::vector<std::uint8_t> is_change_;
  std::vector<Part> parts_;
  Scratch<Row> changed_, changed_aside_;
  std::size_t n_changed_ = 0;
  Scratch<Sum> amounts_;
  Changes changes_;
};

}  // namespace frugalboost
