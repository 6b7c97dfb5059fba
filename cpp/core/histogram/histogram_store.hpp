// The histograms of a tree's nodes, of whatever cells, scanned for splits as soon as they are
// there.
//
// A node's histograms are its rows', or its parent's less its sibling's. Both children of a split
// are searched as soon as the smaller one's cells are there: what was added, subtracted and scanned
// is in the cache between these steps. The root's are kept from one tree to the next.
#pragma once

#include <vector>

#include "core/histogram/filler.hpp"
#include "core/search/search.hpp"

namespace frugalboost {

class HistogramStore {
 public:
  HistogramStore(const SearchContext& context, CellKind kind);

  const FeatureSpace& space() const { return filler_.space(); }
  const Windows& windows() const { return filler_.windows(); }

  // See SplitSearch::worth: the smaller child has half of the rows at most, and all are divided.
  double worth(std::size_t n_rows) const {
    return filler_.worth(n_rows / 2) +
           static_cast<double>(n_rows) / static_cast<double>(rows_worth_a_thread);
  }

  std::size_t bytes_of_node() const {
    return space().n_cells() * sizeof(Sum) +
           (filler_.kind().has_counts ? space().n_codes() * sizeof(std::uint32_t) : 0);
  }

  // Scans the cells of a root, a node that has its histograms, or one whose parent gave them up.
  void search(Node& node, CellScanner& scanner, Work& work);

  // Scans the wanted ones of two children: the smaller one's cells are its rows', the larger one's
  // what those leave of the parent's. Without histograms of the parent the children start afresh:
  // neither is scanned.
  void hand_down(Node& parent, Node& left, Node& right, CellScanner& scanner, Work& work);

  // Gives the root its histograms: last tree's plus the changes, if that is less work.
  void recall(Node& root, RootMemory& memory, Work& work);

  // Sums of the rows of another order, of these totals, into histograms of all features.
  void fill(const RowOrder& order, const std::vector<Sum>& totals, std::size_t n_rows,
            NodeHistograms& histograms, Work& work);

  // The cells of one feature of a node, and the rows behind each code: kept ones, or read once more
  // into `room`. Counts are null where they are neither kept nor read.
  struct Room {
    std::vector<Sum> cells;
    std::vector<std::uint32_t> counts;
  };
  struct ColumnCells {
    const Sum* cells;
    const std::uint32_t* counts;
  };
  ColumnCells cells(const Node& node, std::size_t slot, Room& room) const;
  void read(const Node& node, std::size_t slot, Room& room) const;

 private:
  bool is_kept(const Node& node) const;
  NodeHistograms* take(Node& node);
  FillJob job_of(const Node& node) const;
  bool apply_changes(const Node& root, RootMemory& memory, Work& work);
  void count(std::size_t n_rows, Work& work) const;

  const SearchContext& context_;
  Filler filler_;
  RowOrder changes_;  // empty between calls
};

}  // namespace frugalboost
