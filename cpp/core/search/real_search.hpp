// Real targets: every feature on every row, by variance.
#pragma once

#include <mutex>
#include <vector>

#include "core/histogram/histogram_store.hpp"
#include "core/search/scan_results.hpp"
#include "core/search/search.hpp"

namespace frugalboost {

class RealSearch final : public SplitSearch, private CellScanner {
 public:
  explicit RealSearch(const SearchContext& context);

  double node_loss(const Node& node) const override;
  bool is_pure(const Node& node) const override;
  SplitChoice find(Node& node, Work& work) override;
  void recall(Node& root, RootMemory& memory, Work& work) override;
  void hand_down(Node& parent, Node& left, Node& right, Work& work) override;
  double worth(std::size_t n_rows) const override { return store_.worth(n_rows); }
  std::size_t bytes_of_node() const override {
    return store_.bytes_of_node() + space_.n_codes() * sizeof(Sum);  // of the state's counts
  }
  bool can_follow(std::size_t n_leaves) const override;
  void follow(const std::vector<KeptLeaf>& leaves, const std::vector<Sum>& steps,
              const std::vector<Row>& rest, RootMemory& memory, Work& work) override;

 private:
  using Split = Candidate<double>;

  struct State : SearchState {
    ScanResults<double> results;
    bool is_searched = false;
    SplitChoice choice;
    UnfilledVector<Sum> counts;  // rows behind each code of all features; empty: not asked for yet
  };

  // Where the larger one of two children comes from.
  struct Family {
    Node* parent = nullptr;
    Node* smaller = nullptr;
  };

  static State& state(Node& node) { return state_of<State>(node); }
  RealCell cell() const { return cell_of<RealCell>(context_.problem); }
  SplitFinder<RealCell>& finder() { return finders_[this_thread()]; }
  HistogramStore::Room& room() { return rooms_[this_thread()]; }
  const Sum* ones();
  void begin(Node& node) override;
  void scan(const Node& node, std::size_t slot, const Sum* cells,
            const std::uint32_t* counts) override;
  void finish(Node& node, Family family);

  SplitChoice describe(const Node& node, std::size_t slot, const Split& split);
  const Sum* counts_of(Node& node, Family family);
  const Sum* known_counts(Node& node);
  bool is_whole(const Node& node) const { return node.range.size() == context_.columns.n_rows; }
  void count_rows(const Node& node, UnfilledVector<Sum>& counts);
  void count_column(const Node& node, std::size_t slot, Sum* counts) const;
  void make_sure(const Node& node, const Sum* counts, std::vector<Split>& candidates);

  SearchContext context_;
  HistogramStore store_;
  const FeatureSpace& space_;
  int finest_terms_;
  std::vector<SplitFinder<RealCell>> finders_;  // of each thread
  std::vector<HistogramStore::Room> rooms_;
  UnfilledVector<Sum> root_counts_;  // of the whole table, which are the same in every round
  std::mutex ones_mutex_;
  std::vector<Sum> ones_;
};

}  // namespace frugalboost
