// A tree as the core grew it, on its way to Python.
#pragma once

#include "bindings/support.hpp"
#include "core/grow/grower.hpp"
#include "core/grow/node_table.hpp"

namespace frugalboost {

class GrownNodes {
 public:
  GrownNodes(GrownTree tree, std::size_t n_channels);

  const Work& work() const { return tree_.work; }
  std::size_t n_leaves() const { return n_leaves_; }
  std::size_t n_nodes() const { return tree_.n_nodes(); }
  std::size_t n_words() const { return tree_.category_words.size(); }

  // Exact sums over the rows of each leaf, (leaves, channels).
  nb::ndarray<nb::numpy, Sum> leaf_sums() const { return at_leaves(tree_.sums); }
  // Over all rows of the problem; None if the tree grew on all of them.
  nb::object leaf_sums_of_all() const;
  // All arrays over nodes, by name.
  nb::dict arrays() const;
  // First node and first word in the table; None if there is no room.
  nb::object add_to(NodeTable& table, Array<double, 2> values) const;

 private:
  nb::ndarray<nb::numpy, Sum> at_leaves(const std::vector<Sum>& sums) const;

  GrownTree tree_;
  std::size_t n_channels_, n_leaves_;
};

}  // namespace frugalboost
