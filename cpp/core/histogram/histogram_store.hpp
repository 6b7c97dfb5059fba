// The histograms of a tree's nodes: built from rows, handed down by subtraction, and the root's
// kept from one tree to the next.
#pragma once

#include <vector>

#include "core/histogram/feature_space.hpp"
#include "core/histogram/histogram_builder.hpp"
#include "core/search/search.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {

constexpr std::size_t cells_worth_a_thread = std::size_t{1} << 14;

// Calls body(slot) for the searched features; body must not throw. Each thread has the features
// next to each other whose cells it added to or subtracted.
template <class Body>
void for_slots(const FeatureSpace& space, int n_threads, Body&& body) {
  parallel_slices(space.size(), slices_worth(space.n_cells(), cells_worth_a_thread, n_threads),
                  [&](std::size_t, std::size_t begin, std::size_t end) {
                    for (std::size_t slot = begin; slot < end; ++slot) body(slot);
                  });
}

// rest = whole - part, of `n` cells; `rest` may be `whole`.
void subtract(const Sum* whole, const Sum* part, std::size_t n, int n_threads, Sum* rest);

class HistogramStore {
 public:
  HistogramStore(const SearchContext& context, const FeatureSpace& space);

  // Gives the root its histograms: last tree's plus the changes, if that is less work.
  void recall(Node& root, RootMemory& memory, Work& work);

  // Gives a node its histograms unless it has them.
  void need(Node& node, Work& work);

  // Gives children theirs: the smaller one's from its rows, the larger one's by subtraction.
  void hand_down(Node& parent, Node& left, Node& right, Work& work);

  // What looking at some rows adds to the assessments of a search that counts what it looks at.
  void count(std::size_t n_rows, Work& work) const;

  const Sum* cells(const Node& node, std::size_t slot) const {
    return node.held().cells.data() + space_.cell_offset(slot);
  }

 private:
  void build(Range range, const Sum* totals, NodeHistograms& out, Work& work) const;
  bool apply_changes(const Node& root, RootMemory& memory, Work& work);
  void add_changes(std::size_t n, const Sum* totals, RootMemory& memory, Work& work);

  const SearchContext& context_;
  const FeatureSpace& space_;
  HistogramBuilder builder_;
  RowOrder changes_;  // empty between calls
  HistogramBuilder change_builder_;
  bool is_wide_, with_counts_;
};

}  // namespace frugalboost
