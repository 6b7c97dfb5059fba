// Real targets: every feature on every row, by variance.
#pragma once

#include <vector>

#include "core/histogram/window_store.hpp"
#include "core/search/search.hpp"
#include "core/search/splits.hpp"

namespace frugalboost {

class RealSearch final : public SplitSearch, private CellScanner {
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
    UnfilledVector<Sum> counts;  // rows behind each code of all features; empty: not asked for yet
  };

  // Where the larger one of two children comes from.
  struct Family {
    Node* parent = nullptr;
    Node* smaller = nullptr;
  };

  struct alignas(64) Worker {
    explicit Worker(const SplitFinder<RealCell>& finder) : finder(finder) {}
    SplitFinder<RealCell> finder;
    double lowest[2] = {};
  };

  static State& state_of(Node& node);
  RealCell cell() const { return cell_of<RealCell>(context_.problem); }
  std::size_t n_channels() const { return static_cast<std::size_t>(space_.n_channels()); }
  void begin_scans();
  void scan(const Node& node, int side, std::size_t slot, const Sum* cells) override;
  void finish(Node& node, std::vector<Split>& candidates, Family family);

  SplitChoice describe(const Node& node, std::size_t slot, const Split& split);
  void read_column(std::size_t slot, const Node& node);
  const Sum* counts_of(Node& node, Family family);
  const Sum* known_counts(Node& node);
  bool is_whole(const Node& node) const { return node.range.size() == context_.columns.n_rows; }
  void count_rows(const Node& node, UnfilledVector<Sum>& counts);
  void count_column(const Node& node, std::size_t slot, Sum* counts) const;
  void make_sure(const Node& node, const Sum* counts, std::vector<Split>& candidates);

  SearchContext context_;
  WindowStore store_;
  const FeatureSpace& space_;
  int finest_terms_;
  std::vector<Worker> workers_;
  std::vector<Split> candidates_[2];
  std::vector<Sum> column_cells_;
  std::vector<std::uint32_t> column_counts_;
  UnfilledVector<Sum> root_counts_;  // of the whole table, which are the same in every round
  std::vector<Sum> ones_;
};

}  // namespace frugalboost
