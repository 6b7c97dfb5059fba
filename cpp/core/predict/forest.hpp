// Fitted trees, packed for prediction on raw values: no bins needed.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/types.hpp"
#include "core/binning/raw_table.hpp"

namespace frugalboost {

// A node as a model stores it.
struct FlatNode {
  double threshold = 0.0;              // numeric: x <= threshold goes left
  std::int32_t feature = -1;           // -1 at a leaf
  std::int32_t left = -1, right = -1;  // positions among all nodes
  std::int32_t category_start = -1;    // first word of the set that goes left; -1 if numeric
  std::int32_t n_categories = 0;
  std::uint8_t missing_left = 0;
};

// A node as prediction walks it. The right child follows the left one. A leaf leads to itself, so
// that rows side by side can take the same number of steps, without asking who has arrived.
template <class Real>
struct PackedNode {
  Real threshold;        // x > threshold goes right; infinite at a leaf
  std::int32_t feature;  // 0 at a leaf
  std::int32_t link;     // twice the position of the left child, plus one if NaN goes right
};

struct CategorySet {
  std::int32_t start = -1, size = 0;  // -1: the node is numeric, or a leaf
};

struct Forest {
  // `flat_values` is (nodes, n_outputs); children come after their parent, and no node has two.
  Forest(const std::vector<FlatNode>& flat, std::vector<std::int64_t> first_nodes,
         std::vector<std::uint64_t> words, const std::vector<double>& flat_values, int outputs,
         int features);

  std::vector<std::int64_t> roots;  // first node of each tree, and one past the last node
  std::vector<std::int32_t> depth;  // of each tree
  // The same nodes twice: floats and small integers are compared as floats, with thresholds that
  // decide as the doubles would.
  std::vector<PackedNode<float>> float_nodes;
  std::vector<PackedNode<double>> double_nodes;
  std::vector<CategorySet> sets;  // one for each node, or none if no split is categorical
  std::vector<std::uint64_t> category_words;
  std::vector<std::int32_t> number;  // of each node in its flat tree
  std::vector<double> values;        // (nodes, n_outputs), step included
  int n_outputs = 1;
  int n_features = 0;
  bool stumps_only = false;  // on numbers, with one output: they have a faster way

  std::size_t n_trees() const { return roots.size() - 1; }
  bool has_categories() const { return !sets.empty(); }
};

}  // namespace frugalboost
