// The histograms of a tree's nodes, scanned for splits as soon as they are there.
//
// A node's histograms are its rows', or its parent's less its sibling's. Both children of a split
// are searched as soon as the smaller one's cells are there: what was added, subtracted and scanned
// is in the cache between these steps.
#pragma once

#include <utility>
#include <vector>

#include "core/histogram/add_rows.hpp"
#include "core/histogram/feature_space.hpp"
#include "core/histogram/windows.hpp"
#include "core/search/search.hpp"

namespace frugalboost {

// Looks for the splits of nodes, a feature at a time. Threads ask for several features at once.
class CellScanner {
 public:
  virtual ~CellScanner() = default;
  // `side` is 0 for a node alone and the smaller one of two children, 1 for the larger. Must not
  // throw.
  virtual void scan(const Node& node, int side, std::size_t slot, const Sum* cells) = 0;
};

class WindowStore {
 public:
  struct Kind {
    // From so many bytes on columns are stored once more by rows: see row_tiles.hpp.
    std::size_t tiles_from;
    // So many that a thread is worth waking to scan them.
    std::size_t cells_worth_a_thread;
    // Whether cells that rows are not added to are filled before they are scanned.
    bool fills_rest;
  };

  WindowStore(const SearchContext& context, Kind kind);
  WindowStore(const WindowStore&) = delete;  // windows look at the space beside them
  WindowStore& operator=(const WindowStore&) = delete;

  const FeatureSpace& space() const { return space_; }
  const Windows& windows() const { return windows_; }

  // Scans the cells of a root, a node that has its histograms, or one whose parent gave them up.
  void search(Node& node, CellScanner& scanner, Work& work);

  // Scans the wanted ones of two children, the smaller one first. Without histograms of the parent
  // the children start afresh: neither is returned.
  std::pair<Node*, Node*> hand_down(Node& parent, Node& left, Node& right, CellScanner& scanner,
                                    Work& work);

  // Gives the root its histograms: last tree's plus the changes, if that is less work.
  void recall(Node& root, RootMemory& memory, Work& work);

  // Sums of the rows of another order, of these totals, into cells of all features.
  void fill(const RowOrder& order, const std::vector<Sum>& totals, std::size_t n_rows, Sum* cells,
            Work& work);

  const Sum* cells(const Node& node, std::size_t slot) const {
    return node.held().cells.data() + space_.cell_offset(slot);
  }

 private:
  // A node whose features are scanned, and where its cells go: null if nobody needs them later.
  struct Side {
    const Node* node = nullptr;  // null: not scanned
    Sum* kept = nullptr;
  };

  // Cells to fill with the rows of `range` of an order; then the first side's cells are those, and
  // the second's are `whole` less those.
  struct Job {
    const RowOrder* order = nullptr;
    Range range;
    bool has_rows = true;                      // otherwise the first side's cells are there already
    bool is_fresh = true;                      // otherwise rows are added to what is there
    const std::vector<Sum>* totals = nullptr;  // of the rows
    Side sides[2];
    const Sum* whole = nullptr;
    CellScanner* scanner = nullptr;
  };

  struct alignas(64) Worker {
    Scratch<Sum> scratch[2];
    std::size_t reads = 0;
  };

  std::size_t n_channels() const { return static_cast<std::size_t>(space_.n_channels()); }
  bool is_kept(const Node& node) const;
  Sum* take_cells(Node& node);
  Job job_of(const Node& node) const;
  bool apply_changes(RootMemory& memory, Work& work);
  void count(std::size_t n_rows, Work& work) const;

  void run(const Job& job, Work& work);
  bool is_by_windows(const Job& job, int n_threads) const;
  void run_by_windows(const Job& job, int n_threads);
  void run_by_rows(const Job& job, int n_threads);
  void run_window(const Job& job, const Window& window);
  int add_in_parts(const Job& job, int n_threads, Sum* cells);
  void add_together(const Job& job, Range range, std::size_t n_parts, bool is_first, Sum* cells);
  std::size_t add_to_all(const Job& job, Range rows, Sum* cells) const;
  std::size_t add_by_columns(const Window& window, const Job& job, const RowValues& values,
                             Range range, Sum* cells) const;
  bool is_read_by_columns(const RowTile& tile, const Job& job) const;
  int threads_worth(const Job& job) const;
  std::size_t add_rows(const Window& window, const Job& job, Range range, Sum* cells) const;
  void fill_rest(std::size_t slot, const Job& job, Sum* cells) const;
  void scan(const Job& job, int side, std::size_t slot, const Sum* cells) const;
  void merge_parts(std::size_t slot, int n_parts, Sum* cells) const;

  const SearchContext& context_;
  Kind kind_;
  FeatureSpace space_;
  Windows windows_;
  bool has_sparse_columns_ = false;  // outside of blocks
  std::vector<Worker> workers_;
  std::vector<Scratch<Sum>> parts_;  // cells of some rows each
  Scratch<Sum> unkept_[2];           // cells of all features that nobody needs later
  RowOrder changes_;                 // empty between calls
};

}  // namespace frugalboost
