// Real targets: every feature on every row, by variance.
//
// A node's histograms are its rows', or its parent's less its sibling's. Both children of a split
// are searched as soon as the smaller one's cells are there: what was added, subtracted and scanned
// is in the cache between these steps.
#pragma once

#include <vector>

#include "core/histogram/accumulate.hpp"
#include "core/histogram/feature_space.hpp"
#include "core/histogram/windows.hpp"
#include "core/search/search.hpp"
#include "core/search/splits.hpp"

namespace frugalboost {

class RealSearch final : public SplitSearch {
 public:
  explicit RealSearch(const SearchContext& context);

  double node_loss(const Node& node) const override;
  bool is_pure(const Node& node) const override;
  SplitChoice find(Node& node, Work& work) override;
  void recall(Node& root, RootMemory& memory, Work& work) override;
  void hand_down(Node& parent, Node& left, Node& right, Work& work) override;
  bool can_follow(std::size_t n_leaves) const override;
  void follow(const std::vector<KeptLeaf>& leaves, const std::vector<Sum>& steps,
              const std::vector<Row>& rest, RootMemory& memory, Work& work) override;

 private:
  using Split = Candidate<double>;

  struct State : SearchState {
    bool is_searched = false;
    SplitChoice choice;
  };

  // A node whose features are scanned, and where its cells go: null if nobody needs them later.
  struct Side {
    Node* node = nullptr;  // null: not scanned
    Sum* kept = nullptr;
    std::vector<Split>* candidates = nullptr;
  };

  // Cells to fill with the rows of `range` of an order; then the first side's cells are those, and
  // the second's are `whole` less those.
  struct Job {
    const RowOrder* order = nullptr;
    Range range;
    bool has_rows = true;                      // otherwise the first side's cells are there already
    const std::vector<Sum>* totals = nullptr;  // of the rows
    Side sides[2];
    const Sum* whole = nullptr;
  };

  struct Worker {
    explicit Worker(const SplitFinder<RealCell>& finder) : finder(finder) {}
    SplitFinder<RealCell> finder;
    Scratch<Sum> scratch[2];
    double lowest[2];
    std::size_t reads = 0;
  };

  static State& state_of(Node& node);
  RealCell cell() const { return cell_of<RealCell>(context_.problem); }
  std::size_t n_channels() const { return static_cast<std::size_t>(space_.n_channels()); }
  bool is_kept(const Node& node) const;
  Sum* take_cells(Node& node);
  void search_alone(Node& node, Work& work);
  void finish(Node& node, std::vector<Split>& candidates);

  void run(const Job& job, Work& work);
  void run_by_windows(const Job& job, int n_threads);
  void run_by_rows(const Job& job, int n_threads);
  int threads_worth(const Job& job) const;
  std::size_t add_rows(const Window& window, const Job& job, Range range, Sum* cells) const;
  void fill_rest(std::size_t slot, const std::vector<Sum>& totals, Sum* cells) const;
  void scan(std::size_t slot, const Side& side, int index, const Sum* cells, Worker& worker) const;
  void merge_parts(std::size_t slot, int n_parts, Sum* cells) const;

  SplitChoice describe(const Node& node, std::size_t slot, const Split& split);
  void read_column(std::size_t slot, const Node& node);
  void count_rows(const Node& node);
  void make_sure(const Node& node, std::vector<Split>& candidates);
  void remember(RootMemory& memory) const;
  void count(std::size_t n_rows, Work& work) const;

  SearchContext context_;
  FeatureSpace space_;
  Windows windows_;
  int finest_terms_;
  std::vector<Worker> workers_;
  std::vector<Split> candidates_[2];
  std::vector<Scratch<Sum>> parts_;  // cells of some rows each
  Scratch<Sum> unkept_[2];           // cells of all features that nobody needs later
  std::vector<Sum> column_cells_;
  std::vector<std::uint32_t> column_counts_;
  Scratch<Sum> row_counts_;  // of all codes
  std::vector<Sum> ones_;
};

}  // namespace frugalboost
