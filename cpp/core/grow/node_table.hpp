// Room for the nodes of many trees, one tree after the other, as the arrays of FlatTree.
//
// A tree of a few leaves has a dozen arrays of a few numbers. To hand each of them to Python by
// itself takes longer than to grow the tree on a small table; so the arrays of a table of nodes are
// handed over once, and a tree is a slice of them.
#pragma once

#include <optional>
#include <vector>

#include "core/grow/grower.hpp"

namespace frugalboost {

class NodeTable {
 public:
  // Where a tree lies.
  struct Place {
    std::size_t first_node, first_word;
  };

  NodeTable(std::size_t n_nodes, std::size_t n_words, std::size_t n_outputs);

  // Appends a tree whose leaves, in the order of their nodes, say `values`: (leaves, outputs).
  // Nothing if there is no room.
  std::optional<Place> add(const GrownTree& tree, const double* values);

  std::size_t n_outputs() const { return n_outputs_; }

  std::vector<std::int32_t> feature, left, right, category_start, n_categories;
  std::vector<std::uint8_t> missing_left;
  std::vector<std::uint64_t> category_words;
  std::vector<double> threshold, gain, value;
  std::vector<std::int64_t> n_samples;

 private:
  std::size_t n_outputs_, n_nodes_ = 0, n_words_ = 0;  // taken
};

}  // namespace frugalboost
