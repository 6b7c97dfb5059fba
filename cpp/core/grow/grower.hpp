// Grows one tree: takes nodes from a frontier, splits them, and puts their children back.
#pragma once

#include <cstdint>
#include <vector>

#include "core/grow/sides.hpp"
#include "core/search/search.hpp"

namespace frugalboost {

struct GrowOptions {
  Criterion criterion = Criterion::error;
  int max_depth = 1;               // at least 1
  std::size_t max_leaf_nodes = 0;  // 0: no limit, depth first; else best first
  SearchOptions search;
};

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

class Grower {
 public:
  Grower(const Columns& columns, GrowOptions options);
  Grower(const Grower&) = delete;
  Grower& operator=(const Grower&) = delete;

  // `rows` in the order the search should read them, null for all in the order of the table;
  // `features` ascending. Rows that are not named do not change the tree, but end in its leaves.
  GrownTree grow(const Problem& problem, const Row* rows, std::size_t n_rows,
                 const std::vector<std::uint32_t>& features, const Poll& poll);

  // The last tree was grown on all rows of residuals, which have now fallen by `steps`, by node;
  // the problem is the next one. The next tree may then have its root's histograms from this tree's
  // leaves.
  void follow(const Problem& problem, const std::vector<Sum>& steps);

  // Of the last tree: the leaf, as a node, that each row ends in.
  const UnfilledVector<std::int32_t>& node_of_row() const { return node_of_row_; }

 private:
  struct Open {  // a node whose best split is known
    Node node;
    SplitChoice choice;
    int id = 0, depth = 0;
    double gain = 0.0;
  };

  void add_node(GrownTree& tree, const Node& node, double loss) const;
  void set_node(GrownTree& tree, int id, const Node& node, double loss) const;
  void prepare(const Problem& problem, const std::vector<std::uint32_t>& features,
               const Poll& poll);
  void consider(GrownTree& tree, Node node, int id, int depth);
  void split(GrownTree& tree, Open open, bool is_final);
  void put_off(GrownTree& tree, Open open);
  void split_rest(GrownTree& tree);
  Open take_next();
  bool may_split(const Node& node, int depth) const;
  std::pair<Node, Node> divide(const Open& open);
  SideFinder::Look look_of(const Open& open, int left_id) const;
  std::pair<Node, Node> label(const Open& open, int left_id);
  static std::pair<Node, Node> children_of(const Open& open, const Division& division);
  void record_split(GrownTree& tree, const Open& open, const Node& left, const Node& right) const;
  void make_room_for_categories(GrownTree& tree, const Open& open) const;
  void record_categories(GrownTree& tree, const Open& open, bool missing_left) const;
  void record_leaves(const GrownTree& tree);
  void route_rest(GrownTree& tree);
  std::vector<std::uint8_t> side_of_code_at(const GrownTree& tree, std::size_t id) const;
  void weigh(const Node& parent, Node& left, Node& right) const;
  Sum root_mass(const Node& root) const;
  void keep_leaf(int id, Node node);
  std::vector<Row> rows_not_kept() const;

  const Columns& columns_;
  GrowOptions options_;
  bool track_positions_ = false;
  // What the search looks at; it is kept from tree to tree while features and layout stay.
  Problem problem_;
  RowOrder order_;
  std::vector<std::uint32_t> features_, searched_;
  Poll poll_;
  std::unique_ptr<SplitSearch> search_;
  HistogramPool pool_;
  RootMemory memory_;
  std::vector<Open> frontier_;
  std::vector<Open> put_off_;  // whose children are leaves: all are split in one pass
  bool keeps_leaves_ = false;
  std::vector<KeptLeaf> kept_;       // of the last tree
  std::vector<std::size_t> leaves_;  // their nodes
  std::vector<Range> labelled_;      // rows of pairs of leaves that were not put in order
  Work work_ahead_;                  // done for the next tree
  std::vector<Range> ranges_;        // of each node; empty once its rows are labelled
  UnfilledVector<std::int32_t> node_of_row_;
  SideFinder sides_;
  std::size_t histogram_bytes_ = 0;  // held by the frontier
  std::size_t last_n_nodes_ = 1;     // of the last tree: the next one will have about as many
};

}  // namespace frugalboost
