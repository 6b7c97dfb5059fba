// Narrow histograms of a tree's nodes over their heavy rows: see narrow_cells.hpp.
#pragma once

#include <vector>

#include "core/histogram/feature_space.hpp"
#include "core/histogram/lane_team.hpp"
#include "core/histogram/narrow_cells.hpp"
#include "core/search/search.hpp"

namespace frugalboost {

// Sums of a node's heavy rows' weights as they are in narrow histograms.
struct NarrowState : SearchState {
  Seen seen;
};

inline Seen& narrow_seen(Node& node) { return state_of<NarrowState>(node).seen; }

class NarrowStore {
 public:
  NarrowStore(const SearchContext& context, const FeatureSpace& space);

  // A tree begins: the root's histograms are last tree's with the weights that changed, if the
  // heavy rows are the same.
  void begin(Node& root, Work& work);

  // Gives a node histograms unless it has them.
  void need(Node& node, Work& work);

  // Counts the next rows of the node among the heavy ones, up to `n_heavy` of them.
  void extend(Node& node, std::size_t n_heavy, Work& work);

  // Gives children theirs: the one's with fewer heavy rows from those, the other's by subtraction.
  void hand_down(Node& parent, Node& left, Node& right, Work& work);

  const NarrowSum* cells(const Node& node, std::size_t slot) const {
    return node.held().narrow.data() + space_.cell_offset(slot);
  }
  int shift() const { return shift_; }

 private:
  bool update_root(Node& root, Work& work);
  struct Task;

  void build(Node& node, NodeHistograms& out, Work& work);
  NarrowRows round_rows(Range range, Seen& seen);
  Seen round_weights(Range range);
  std::size_t list_changed(std::size_t n);
  void add(const NarrowRows& rows, bool is_fresh, NodeHistograms& out, Work& work) const;
  std::size_t add_lane(const Lane& lane, const NarrowRows& rows, NarrowSum* cells) const;
  NodeHistograms& own(Node& node) const;

  const SearchContext& context_;
  const FeatureSpace& space_;
  Lanes lanes_;
  LaneTeam<NarrowSum> team_;
  int shift_ = 0;
  std::vector<NarrowSum> weights_;  // of the rows that are being added
  // The last root's: its histograms, the heavy rows they hold, and those rows' rounded weights.
  NodeHistograms root_;
  std::uint64_t root_version_ = 0;  // 0: not filled
  std::vector<NarrowSum> root_weights_;
  std::vector<NarrowSum> change_weights_;
  Scratch<Row> changed_, changed_aside_;
};

}  // namespace frugalboost
