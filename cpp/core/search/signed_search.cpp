// The exhaustive search for the error of two classes: see signed_splits.hpp.
#include <algorithm>

#include "core/histogram/window_store.hpp"
#include "core/search/signed_splits.hpp"

namespace frugalboost {
namespace {

// An addition and two comparisons for each.
constexpr std::size_t cells_worth_a_thread = 4096;

class SignedSearch final : public SplitSearch, private CellScanner {
 public:
  explicit SignedSearch(const SearchContext& context)
      : context_(context),
        store_(context_, {context.options.tiles_from, cells_worth_a_thread, false}),
        splits_(context_, store_.space()) {
    for (std::vector<Sum>& spreads : spreads_) spreads.resize(store_.space().size());
  }

  double node_loss(const Node& node) const override {
    return as_double(std::min(node.totals[0], node.totals[1]));
  }

  bool is_pure(const Node& node) const override {
    return std::min(node.totals[0], node.totals[1]) == 0;
  }

  SplitChoice find(Node& node, Work& work) override {
    if (store_.space().size() == 0) return {};
    count_full(context_.options.kind == SearchKind::exhaustive, node, store_.space().size(), work);
    if (!state_of(node).is_searched) {
      store_.search(node, *this, work);
      finish(node, spreads_[0]);
    }
    return choose(node);
  }

  void recall(Node& root, RootMemory& memory, Work& work) override {
    store_.recall(root, memory, work);
  }

  void hand_down(Node& parent, Node& left, Node& right, Work& work) override {
    const auto [smaller, larger] = store_.hand_down(parent, left, right, *this, work);
    if (smaller != nullptr) finish(*smaller, spreads_[0]);
    if (larger != nullptr) finish(*larger, spreads_[1]);
  }

 private:
  struct State : SearchState {
    bool is_searched = false;
    std::size_t winner = 0;
    Sum spread = 0;
  };

  static State& state_of(Node& node) {
    if (!node.state) node.state = std::make_unique<State>();
    return static_cast<State&>(*node.state);
  }

  void scan(const Node& node, int side, std::size_t slot, const Sum* cells) override {
    spreads_[side][slot] = best_spread(splits_.cells_of(slot, cells, difference(node)));
  }

  // Ties go to the lowest feature.
  static void finish(Node& node, const std::vector<Sum>& spreads) {
    State& state = state_of(node);
    const auto winner = std::max_element(spreads.begin(), spreads.end());
    state.is_searched = true;
    state.winner = static_cast<std::size_t>(winner - spreads.begin());
    state.spread = *winner;
  }

  SplitChoice choose(Node& node) {
    const State& state = state_of(node);
    if (state.spread <= magnitude(difference(node))) return splits_.first_split(node);
    const Sum* cells = node.has_histograms() ? store_.cells(node, state.winner) : nullptr;
    return splits_.describe(node, state.winner, cells, state.spread);
  }

  SearchContext context_;
  WindowStore store_;
  SignedSplits splits_;
  std::vector<Sum> spreads_[2];
};

}  // namespace

std::unique_ptr<SplitSearch> make_signed_search(const SearchContext& context) {
  return std::make_unique<SignedSearch>(context);
}

}  // namespace frugalboost
