// A grown tree, and how it is written down.
#pragma once

#include <cstdint>
#include <vector>

#include "core/grow/open_node.hpp"
#include "core/search/search.hpp"

namespace frugalboost {

// A tree as parallel arrays over nodes; node 0 is the root and children come after their parent.
struct GrownTree {
  std::vector<std::int32_t> feature;  // -1 at a leaf
  std::vector<std::int32_t> bin;      // numeric: last code on the left
  std::vector<std::int32_t> left, right;
  std::vector<std::uint8_t> missing_left;
  std::vector<std::int32_t> category_start;  // first word of the left set; -1 if numeric
  std::vector<std::uint64_t> category_words;
  // Left to whoever knows the units of the data: NaN and 0 where they do not apply.
  std::vector<double> threshold;
  std::vector<std::int32_t> n_categories;
  std::vector<double> loss;  // of the node, in units of the fixed-point weights
  std::vector<double> gain;  // 0 at a leaf
  std::vector<std::int64_t> n_samples;
  std::vector<Sum> sums;  // (nodes, n_sums of the problem)
  // The same over all rows of the problem, at leaves; empty if the tree grew on all of them.
  std::vector<Sum> sums_of_all;
  Sum mass = 0;  // of all rows
  Work work;

  std::size_t n_nodes() const { return feature.size(); }
  void reserve(std::size_t n_nodes, std::size_t n_channels);
};

// Sums of some rows, as users see them.
void write_sums(const Problem& problem, const Sum* totals, Sum* sums);

class TreeWriter {
 public:
  TreeWriter(const Columns& columns, const Problem& problem)
      : columns_(columns), problem_(problem) {}

  void add_node(GrownTree& tree, const Node& node, double loss) const;
  void set_node(GrownTree& tree, int id, const Node& node, double loss) const;
  void record_split(GrownTree& tree, const Open& open, const Node& left, const Node& right) const;
  // In the order in which nodes are split, whenever their sides are looked at.
  void make_room_for_categories(GrownTree& tree, const Open& open) const;

 private:
  void record_categories(GrownTree& tree, const Open& open, bool missing_left) const;

  const Columns& columns_;
  const Problem& problem_;
};

}  // namespace frugalboost
