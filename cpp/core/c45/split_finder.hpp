// Chooses the test of a node: the largest gain ratio among gains of the average.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/c45/entropy.hpp"
#include "core/c45/table.hpp"
#include "core/threads/listener.hpp"

namespace frugalboost::c45 {

// `feature` is -1 where there is none. Codes up to `cut` go first; a category to its own branch.
struct Split {
  std::int32_t feature = -1;
  std::int32_t cut = -1;
  double gain = 0.0;
  double entropy = 0.0;

  bool exists() const { return feature >= 0; }
};

class SplitFinder {
 public:
  // `cases` are all that the tree grows on.
  SplitFinder(const Table& table, const Cases& cases, double min_cases, const Poll& poll);

  // `is_tested`: features, categories all, that a test above has used up.
  Split best(const Cases& cases, const std::vector<char>& is_tested);

 private:
  Split split(std::int32_t feature, const Cases& cases, double n);
  Split by_category(std::int32_t feature, double n);
  Split by_threshold(std::int32_t feature, double n);
  void group(const Column& column, const Cases& cases);
  void find_codes(const Column& column, const Cases& cases);
  double average_gain() const;
  double fewest_cases(double n_known) const;
  std::int32_t largest_code(std::int32_t feature, std::int32_t code, std::int32_t above) const;
  const double* group_of(std::size_t i) const { return &freq_[i * n_classes_]; }

  struct Try {
    double gain, entropy;
    std::int32_t code, above;
  };

  const Table& table_;
  const std::size_t n_classes_;
  const double min_cases_;
  Listener listener_;
  Entropy entropy_;
  std::vector<char> has_many_;  // categories, too many for the average
  bool all_have_many_ = true;
  std::vector<std::vector<char>> is_there_;  // by feature and code: whether a case has the value

  // Of the node and feature at hand.
  std::vector<char> seen_;
  std::vector<std::int32_t> codes_;  // of its cases, ascending
  std::vector<std::size_t> slot_;    // of a code among these
  std::vector<double> freq_;         // weights of the classes, by code
  std::vector<double> sizes_;
  std::vector<double> low_, high_;
  std::vector<Try> tries_;
  std::vector<Split> splits_;
  double n_unknown_ = 0.0;
};

}  // namespace frugalboost::c45
