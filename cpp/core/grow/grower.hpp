// Grows one tree: takes nodes from a frontier, splits them, and puts their children back.
//
// To split a node is two things. To expand it, its rows are divided and its children searched; to
// commit it, what was found is written into the tree. Nodes are committed one by one, in an order
// that does not depend on threads. Where all will be, they are expanded beforehand: the first by
// all threads together, then whole subtrees by a thread each. (Where only the best are, to expand
// likely ones beforehand does not pay: on 16 threads a third of the work was in vain, and trees
// took a tenth longer.)
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/grow/grown_tree.hpp"
#include "core/grow/open_node.hpp"
#include "core/grow/sharing.hpp"
#include "core/grow/sides.hpp"
#include "core/search/search.hpp"

namespace frugalboost {

struct GrowOptions {
  Criterion criterion = Criterion::error;
  int max_depth = 1;               // at least 1
  std::size_t max_leaf_nodes = 0;  // 0: no limit, depth first; else best first
  // Bytes of histograms kept for subtraction; past this, children build their own.
  std::size_t histogram_budget = std::size_t{256} << 20;
  SearchOptions search;
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
  void prepare(const Problem& problem, const std::vector<std::uint32_t>& features,
               const Poll& poll);
  Open open_root(GrownTree& tree, std::size_t n_rows, bool is_incremental);
  bool may_split(const Node& node, int depth) const;
  bool can_expand(const Open& open) const;

  Open consider(Node node, int depth, Work& work);
  void expand(Open& open);
  void commit(GrownTree& tree, Open open, bool is_final);
  void add_child(Open child, int id);
  Open take_next();

  bool can_share() const;
  bool has_room_to_share() const;
  std::size_t most_tips() const { return 4 * static_cast<std::size_t>(sharing_.n_threads); }
  double cost_of(const Open& open) const { return search_->worth(open.node.range.size()); }
  void expand_all(Open& root);
  void expand_subtrees(const std::vector<Open*>& tips);
  void expand_below(Open& open);

  void end_tree(GrownTree& tree, Open open);
  void put_off(GrownTree& tree, Open open);
  void split_rest(GrownTree& tree);

  std::pair<Node, Node> divide(const Open& open);
  SideFinder::Look look_of(const Open& open, int left_id) const;
  std::pair<Node, Node> label(const Open& open, int left_id);
  static std::pair<Node, Node> children_of(const Open& open, const Division& division);
  void weigh(const Node& parent, Node& left, Node& right) const;
  Sum root_mass(const Node& root) const;

  void record_leaves(const GrownTree& tree);
  void keep_leaf(int id, Node& node);
  std::vector<Row> rows_not_kept() const;

  const Columns& columns_;
  GrowOptions options_;
  bool track_positions_ = false;
  Sharing sharing_;
  // What the search looks at; it is kept from tree to tree while features and layout stay.
  Problem problem_;
  TreeWriter writer_;
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
  std::atomic<std::size_t> histogram_bytes_{0};  // held by nodes that wait
  std::atomic<bool> is_over_{false};             // one of the threads with subtrees has failed
  std::size_t last_n_nodes_ = 1;  // of the last tree: the next one will have about as many
};

}  // namespace frugalboost
