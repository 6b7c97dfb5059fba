// The exhaustive search for the error of two classes: see signed_splits.hpp.
#include <algorithm>
#include <utility>
#include <vector>

#include "core/histogram/histogram_store.hpp"
#include "core/search/signed_splits.hpp"

namespace frugalboost {
namespace {

// An addition and two comparisons for each.
constexpr std::size_t cells_worth_a_thread = 4096;

class SignedSearch final : public SplitSearch, private CellScanner {
 public:
  explicit SignedSearch(const SearchContext& context)
      : context_(context),
        store_(context_, kind(context.options)),
        splits_(context.options.n_threads, SignedSplits(context_, store_.space())) {}

  double node_loss(const Node& node) const override {
    return as_double(std::min(node.totals[0], node.totals[1]));
  }

  bool is_pure(const Node& node) const override {
    return std::min(node.totals[0], node.totals[1]) == 0;
  }

  SplitChoice find(Node& node, Work& work) override {
    if (store_.space().size() == 0) return {};
    count_unpruned(context_.options.kind == SearchKind::exhaustive, node, store_.space(), work);
    if (!node.state) store_.search(node, *this, work);
    return choose(node);
  }

  void recall(Node& root, RootMemory& memory, Work& work) override {
    store_.recall(root, memory, work);
  }

  void hand_down(Node& parent, Node& left, Node& right, Work& work) override {
    store_.hand_down(parent, left, right, *this, work);
  }

  double worth(std::size_t n_rows) const override { return store_.worth(n_rows); }
  std::size_t bytes_of_node() const override { return store_.bytes_of_node(); }

 private:
  struct State : SearchState {
    std::vector<Sum> spreads;  // by slot
  };

  static CellKind kind(const SearchOptions& options) {
    CellKind kind{options.tiles_from, columns_at_once, cells_worth_a_thread};
    kind.fills_rest = false;
    return kind;
  }

  void begin(Node& node) override { state_of<State>(node).spreads.resize(store_.space().size()); }

  void scan(const Node& node, std::size_t slot, const Sum* cells, const std::uint32_t*) override {
    static_cast<State&>(*node.state).spreads[slot] =
        best_spread(splits_[0].cells_of(slot, cells, difference(node)));
  }

  // Ties go to the lowest feature.
  SplitChoice choose(Node& node) {
    const std::vector<Sum> spreads = std::move(state_of<State>(node).spreads);
    node.state.reset();
    const auto winner = std::max_element(spreads.begin(), spreads.end());
    SignedSplits& splits = splits_[this_thread()];
    if (*winner <= magnitude(difference(node))) return splits.first_split(node);
    const auto slot = static_cast<std::size_t>(winner - spreads.begin());
    const Sum* cells = nullptr;
    if (node.has_histograms()) cells = node.held().cells.data() + store_.space().cell_offset(slot);
    return splits.describe(node, slot, cells, *winner);
  }

  SearchContext context_;
  HistogramStore store_;
  std::vector<SignedSplits> splits_;  // of each thread
};

}  // namespace

std::unique_ptr<SplitSearch> make_signed_search(const SearchContext& context) {
  return std::make_unique<SignedSearch>(context);
}

}  // namespace frugalboost
