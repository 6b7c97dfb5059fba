// Fills histograms of all searched features with rows, and has them scanned while they are in the
// cache.
#pragma once

#include <array>
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
  // Before the first feature of a node is scanned, by one thread.
  virtual void begin(Node& node) = 0;
  // `counts` are the rows behind each code, null unless the histograms have them.
  virtual void scan(const Node& node, std::size_t slot, const Sum* cells,
                    const std::uint32_t* counts) = 0;
};

// Cells to fill with the rows of `range` of an order; then the first side's cells are those, and
// the second's are `whole` less those.
struct FillJob {
  // A node whose features are scanned, and where its cells go: null if nobody needs them later.
  struct Side {
    const Node* node = nullptr;  // null: not scanned
    NodeHistograms* kept = nullptr;
  };

  const RowOrder* order = nullptr;
  Range range;
  bool has_rows = true;                      // otherwise the first side's cells are there already
  bool is_fresh = true;                      // otherwise rows are added to what is there
  bool counts_rows = true;                   // otherwise counts, if there are any, stay
  const std::vector<Sum>* totals = nullptr;  // of the rows, or of what is there with them
  Side sides[2];
  const NodeHistograms* whole = nullptr;
  CellScanner* scanner = nullptr;
};

// What cells are like.
struct CellKind {
  // From so many bytes on columns are stored once more by rows: see row_tiles.hpp.
  std::size_t tiles_from;
  // Dense columns that are read side by side.
  std::size_t columns_at_once;
  // So many that a thread is worth waking to scan them.
  std::size_t cells_worth_a_thread;
  // Whether cells that rows are not added to are filled before they are scanned.
  bool fills_rest = true;
  bool has_counts = false;
  // Histograms are there after the scan, also those that no child will need.
  bool keeps_all = false;
};

class Filler {
 public:
  Filler(const SearchContext& context, CellKind kind);
  Filler(const Filler&) = delete;  // windows look at the space beside them
  Filler& operator=(const Filler&) = delete;

  const FeatureSpace& space() const { return space_; }
  const Windows& windows() const { return windows_; }
  const CellKind& kind() const { return kind_; }

  // Makes room for the cells of a node.
  void resize(NodeHistograms& histograms) const;
  // Threads of a team may each run jobs of their own.
  void run(const FillJob& job, Work& work);
  // How many threads are worth waking to add so many rows and scan two nodes.
  double worth(std::size_t n_rows) const;

 private:
  // Cells of some features; counts are null unless they are kept.
  struct Cells {
    Sum* sums;
    std::uint32_t* counts;
  };
  struct Room {
    Scratch<Sum> sums;
    Scratch<std::uint32_t> counts;
  };
  struct alignas(64) Worker {
    Room rooms[2];
    std::size_t reads = 0;
  };

  std::size_t n_channels() const { return static_cast<std::size_t>(space_.n_channels()); }
  Cells cells_of(NodeHistograms* kept, std::size_t offset, std::size_t n_codes, Room& room) const;
  Cells room_for(std::size_t n_codes, Room& room) const;
  // Those behind another code.
  Cells at(const Cells& cells, std::size_t code) const {
    return {cells.sums + code * n_channels(),
            cells.counts == nullptr ? nullptr : cells.counts + code};
  }
  void clear(const Cells& cells, std::size_t n_codes) const;
  void subtract(const NodeHistograms& whole, std::size_t offset, const Cells& part,
                std::size_t n_codes, const Cells& rest) const;

  int threads_worth(const FillJob& job) const;
  bool is_by_windows(const FillJob& job, int n_threads) const;
  void run_by_windows(const FillJob& job, int n_threads);
  void run_window(const FillJob& job, const Window& window);
  void run_by_rows(const FillJob& job, int n_threads);
  int add_in_parts(const FillJob& job, int n_threads, const Cells& cells);
  void add_together(const FillJob& job, Range range, std::size_t n_parts, bool is_first,
                    const Cells& cells);
  std::size_t add_to_all(const FillJob& job, Range rows, const Cells& cells) const;
  void merge_parts(std::size_t slot, int n_parts, const Cells& cells, bool counts_rows) const;

  std::size_t add_rows(const Window& window, const FillJob& job, Range range,
                       const Cells& cells) const;
  std::size_t add_numbers(const Window& window, const FillJob& job, Range range, Sum* cells) const;
  std::size_t add_by_columns(const Window& window, const FillJob& job, const RowValues& values,
                             Range range, Sum* cells) const;
  std::size_t add_labelled(const Window& window, const FillJob& job, Range range,
                           const Cells& cells) const;
  bool is_read_by_columns(const RowTile& tile, const FillJob& job) const;
  void fill_rest(std::size_t slot, const FillJob& job, const Cells& cells) const;
  void scan(const FillJob& job, int side, std::size_t slot, const Cells& cells) const;

  const SearchContext& context_;
  CellKind kind_;
  FeatureSpace space_;
  Windows windows_;
  bool has_sparse_columns_ = false;  // outside of blocks
  double most_threads_ = 1.0;        // for one job
  std::vector<Worker> workers_;
  std::vector<Room> parts_;     // cells of some rows each
  std::array<Room, 2> unkept_;  // cells of all features that nobody needs later
};

}  // namespace frugalboost
