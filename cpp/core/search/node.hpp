// A node of a growing tree.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/types.hpp"
#include "core/base/unfilled.hpp"

namespace frugalboost {

// Histograms of all searched features of one node, one after the other.
struct NodeHistograms {
  UnfilledVector<Sum> cells;
  std::vector<std::uint32_t> counts;
  std::vector<std::int32_t> narrow;  // instead: see narrow_cells.hpp, rough_cells.hpp
};

// Histograms that are no longer needed, for the next node: fresh memory would have to be mapped
// page by page. Threads may share it.
class HistogramPool {
 public:
  std::unique_ptr<NodeHistograms> take() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!spare_.empty()) {
        std::unique_ptr<NodeHistograms> taken = std::move(spare_.back());
        spare_.pop_back();
        return taken;
      }
    }
    return std::make_unique<NodeHistograms>();
  }
  void give_back(std::unique_ptr<NodeHistograms> histograms) {
    if (!histograms) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    spare_.push_back(std::move(histograms));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<NodeHistograms>> spare_;
};

// What a search knows of a node besides its histograms: its own, and nobody else's business.
struct SearchState {
  virtual ~SearchState() = default;
};

struct Node {
  Range range;
  std::vector<Sum> totals;     // per channel
  Sum mass = 0;                // classes and votes: what the rows weigh
  bool is_wanted = true;       // will be searched for a split
  bool is_last = false;        // its children will be leaves
  bool is_remembered = false;  // as a leaf it would serve the next root
  // Two stages: how many rows at the front of the range are heavy; histograms hold those.
  std::size_t n_heavy = 0;
  // Kept for subtraction: the node's own, or borrowed from the memory of the root.
  std::unique_ptr<NodeHistograms> histograms;
  const NodeHistograms* borrowed = nullptr;
  std::unique_ptr<SearchState> state;

  bool has_histograms() const { return histograms || borrowed != nullptr; }
  const NodeHistograms& held() const { return histograms ? *histograms : *borrowed; }
};

// What a search knows of a node, made when it is first asked for.
template <class State>
State& state_of(Node& node) {
  if (!node.state) node.state = std::make_unique<State>();
  return static_cast<State&>(*node.state);
}

// Whose histograms the larger child's are put in: the parent's own, unless the next tree needs
// those.
inline NodeHistograms& inherit(Node& parent, Node& larger, HistogramPool& pool) {
  larger.histograms = parent.histograms ? std::move(parent.histograms) : pool.take();
  return *larger.histograms;
}

// The child whose rows are added; the other's cells are what they leave of the parent's.
inline Node* smaller_of(Node& left, Node& right) {
  return left.range.size() <= right.range.size() ? &left : &right;
}

}  // namespace frugalboost
