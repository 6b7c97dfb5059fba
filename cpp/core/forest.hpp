// Fitted trees, packed for prediction on raw values: no bins needed.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/types.hpp"

namespace frugalboost {

struct ForestNode {
  double threshold = 0.0;              // numeric: x <= threshold goes left
  std::int32_t feature = -1;           // -1 at a leaf
  std::int32_t left = -1, right = -1;  // absolute positions in the forest
  std::int32_t category_start = -1;    // first word of the set that goes left; -1 if numeric
  std::int32_t n_categories = 0;
  std::uint8_t missing_left = 0;
};

struct Forest {
  std::vector<ForestNode> nodes;
  std::vector<std::int64_t> roots;  // first node of each tree, and one past the last node
  std::vector<std::uint64_t> category_words;
  std::vector<double> values;  // (nodes, n_outputs), step included
  int n_outputs = 1;
  int n_features = 0;

  std::size_t n_trees() const { return roots.size() - 1; }

  bool goes_left(const ForestNode& node, double x) const {
    if (node.category_start < 0) return std::isnan(x) ? node.missing_left : x <= node.threshold;
    // Written so that NaN, too, counts as unseen.
    if (!(x >= 0.0 && x < node.n_categories)) return node.missing_left;
    const auto code = static_cast<std::uint32_t>(x);
    return (category_words[node.category_start + code / 64] >> (code % 64)) & 1;
  }

  template <class Real>
  std::int32_t leaf(std::size_t tree, const Real* x) const {
    auto at = static_cast<std::int32_t>(roots[tree]);
    while (nodes[at].feature >= 0) {
      const ForestNode& node = nodes[at];
      at = goes_left(node, static_cast<double>(x[node.feature])) ? node.left : node.right;
    }
    return at;
  }
};

// Adds trees [first, last) to `decision` (n, n_outputs), tree by tree, so that a row's sum is the
// same whichever way rows and trees are blocked.
template <class Real>
void add_trees(const Forest& forest, const Real* X, std::size_t n, std::size_t first,
               std::size_t last, int n_threads, const Poll& poll, double* decision);

// Node reached in each tree, counted from the tree's root: (n, last - first).
template <class Real>
void find_leaves(const Forest& forest, const Real* X, std::size_t n, std::size_t first,
                 std::size_t last, int n_threads, const Poll& poll, std::int32_t* leaves);

}  // namespace frugalboost
