// The best split of a node: several searches that give the same answer after different work.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/base/problem.hpp"
#include "core/columns/columns.hpp"
#include "core/histogram/feature_space.hpp"
#include "core/rows/rows.hpp"
#include "core/search/node.hpp"

namespace frugalboost {

struct Work {
  std::uint64_t assessments = 0;   // (example, feature) pairs looked at: the papers' unit
  std::uint64_t reads = 0;         // histogram updates really executed
  std::uint64_t full = 0;          // pairs an exhaustive search would look at
  std::uint64_t pruned_nodes = 0;  // nodes in which some feature was left before its last row
  std::uint64_t scans = 0;         // codes gone through to weigh splits and bounds
  std::uint64_t full_scans = 0;    // codes an exhaustive search would go through

  void operator+=(const Work& other) {
    assessments += other.assessments;
    reads += other.reads;
    full += other.full;
    pruned_nodes += other.pruned_nodes;
    scans += other.scans;
    full_scans += other.full_scans;
  }
};

// What a search keeps of the last tree's root. Boosting often changes the weights of some rows
// only; then this round's histograms are the last ones plus the changes.
struct RootMemory {
  bool is_filled = false;
  const void* source = nullptr;  // whose changes are added up here, and how far
  std::uint64_t version = 0;
  std::vector<std::uint32_t> features;
  NodeHistograms histograms;

  bool is_of(const Changes& changes, const std::vector<std::uint32_t>& searched) const {
    return is_filled && source == changes.source && features == searched;
  }
  // Whether what it lacks is listed.
  bool is_one_step_behind(const Changes& changes) const {
    return version + 1 == changes.version && !changes.all && changes.amounts != nullptr;
  }
  void keep(const Changes& changes, const std::vector<std::uint32_t>& searched) {
    is_filled = true;
    source = changes.source;
    version = changes.version;
    features = searched;
  }
};

// What is left of a grown tree for the next root: see SplitSearch::follow.
struct KeptLeaf {
  int id;
  std::unique_ptr<NodeHistograms> histograms;
};

struct SplitChoice {
  bool found = false;
  std::uint32_t feature = 0;
  int bin = -1;
  bool missing_left = false;
  bool missing_seen = false;      // the node holds missing values of the feature
  std::vector<int> left_codes;    // categorical: codes that go left
  std::vector<int> absent_codes;  // categorical: codes that no row of the node has
  // Channel totals of the rows that go left; none: the search does not know them.
  std::vector<Sum> left_totals;
  double loss = 0.0;
};

struct SearchOptions {
  SearchKind kind = SearchKind::exhaustive;
  double quick_mass = 0.9;
  int quick_steps = 20;
  std::size_t min_samples_leaf = 1;
  int n_threads = 1;
  // Rough cells from this many bytes of a node's histograms on: several times a second-level cache.
  std::size_t rough_from = std::size_t{1} << 22;
  // For two classes by error, dense columns of so many bytes are stored once more by rows: what
  // fits the last-level cache is read fast enough by columns.
  std::size_t tiles_from = std::size_t{1} << 26;
  std::size_t large_node = RowOrder::large_node;
  // How readily threads are given nodes of their own: see grow/sharing.hpp.
  double eagerness = 1.0;
};

// Those that look at every row on every feature, or know what they would see. Two stages come down
// to that where they cannot prune.
inline bool is_exhaustive(SearchKind kind) {
  return kind != SearchKind::quick && kind != SearchKind::adaptive && kind != SearchKind::ap_boost;
}

// What serves a criterion that no bound holds for: the pruning searches are exhaustive there.
inline SearchOptions served(Criterion criterion, SearchOptions options) {
  if (criterion == Criterion::gain_ratio && !is_exhaustive(options.kind))
    options.kind = SearchKind::exhaustive;
  return options;
}

struct SearchContext {
  const Columns& columns;
  const Problem& problem;
  const RowOrder& order;
  const std::vector<std::uint32_t>& features;  // ascending, none constant
  SearchOptions options;
  HistogramPool& pool;
  const Poll& poll;
};

// What an exhaustive search does at a node.
inline std::uint64_t count_full(const Node& node, const FeatureSpace& space, Work& work) {
  const std::uint64_t pairs = static_cast<std::uint64_t>(node.range.size()) * space.size();
  work.full += pairs;
  work.full_scans += space.n_searched_codes();
  return pairs;
}

// The same for a search that weighs every feature once. Whether all pairs count as assessed: the
// papers count no subtraction as a saving.
inline void count_unpruned(bool counts_all_pairs, const Node& node, const FeatureSpace& space,
                           Work& work) {
  const std::uint64_t pairs = count_full(node, space, work);
  work.scans += space.n_searched_codes();
  if (counts_all_pairs) work.assessments += pairs;
}

class SplitSearch {
 public:
  virtual ~SplitSearch() = default;

  virtual double node_loss(const Node& node) const = 0;
  // No split can lower the loss of a pure node.
  virtual bool is_pure(const Node& node) const = 0;
  virtual SplitChoice find(Node& node, Work& work) = 0;
  // Gives the root its histograms, from `memory` if that is less work, and updates the memory. Only
  // called if the problem tells its changes, and for two stages.
  virtual void recall(Node& root, RootMemory& memory, Work& work) = 0;
  // Called after a node was split, before its children are searched, if either is wanted.
  virtual void hand_down(Node& parent, Node& left, Node& right, Work& work) = 0;
  // How many threads it is worth waking for the split of so many rows and the search of both
  // children. Negative: only one node can be searched at a time; otherwise threads of a team may
  // each search nodes of their own.
  virtual double worth(std::size_t) const { return -1.0; }
  // What is kept of a node that waits for its split, at most.
  virtual std::size_t bytes_of_node() const { return 0; }
  // Whether the next root's histograms are cheaper to put together from those of so many leaves.
  virtual bool can_follow(std::size_t) const { return false; }
  // Does so, once every residual has fallen by the step of its leaf: the problem is the next one.
  // `rest` are the rows of leaves that were not kept. Steps are by node.
  virtual void follow(const std::vector<KeptLeaf>&, const std::vector<Sum>&,
                      const std::vector<Row>&, RootMemory&, Work&) {}
};

// Whether the best split can be found from histograms of a single signed channel: see
// signed_search.cpp.
bool suits_signed_cells(Criterion criterion, const Problem& problem, const SearchOptions& options);

std::unique_ptr<SplitSearch> make_search(Criterion criterion, const SearchContext& context);

// One per layout, in files of their own so that they compile side by side.
std::unique_ptr<SplitSearch> make_classes_search(Criterion criterion, const SearchContext& context);
std::unique_ptr<SplitSearch> make_signed_search(const SearchContext& context);
std::unique_ptr<SplitSearch> make_two_stage_search(const SearchContext& context);
std::unique_ptr<SplitSearch> make_votes_search(Criterion criterion, const SearchContext& context);
std::unique_ptr<SplitSearch> make_real_search(const SearchContext& context);

// Where histograms are wide, a search of 32-bit cells instead of the plain one: see
// rough_search.cpp.
std::unique_ptr<SplitSearch> with_rough_votes(const SearchContext& context,
                                              std::unique_ptr<SplitSearch> plain);  // by z

}  // namespace frugalboost
