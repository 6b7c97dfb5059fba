// The exhaustive search for the error of two classes: see signed_splits.hpp.
#include <algorithm>

#include "core/histogram/histogram_store.hpp"
#include "core/search/signed_splits.hpp"

namespace frugalboost {
namespace {

class SignedSearch final : public SplitSearch {
 public:
  explicit SignedSearch(const SearchContext& context)
      : context_(context),
        space_(context_.columns, context_.columns.row_blocks(), context_.features, 1),
        store_(context_, space_),
        splits_(context_, space_),
        spreads_(space_.size()) {}

  double node_loss(const Node& node) const override {
    return as_double(std::min(node.totals[0], node.totals[1]));
  }

  bool is_pure(const Node& node) const override {
    return std::min(node.totals[0], node.totals[1]) == 0;
  }

  SplitChoice find(Node& node, Work& work) override {
    if (space_.size() == 0) return {};
    count_full(context_.options.kind == SearchKind::exhaustive, node, space_.size(), work);
    store_.need(node, work);
    judge(node);
    // Ties go to the lowest feature.
    const std::size_t winner =
        std::max_element(spreads_.begin(), spreads_.end()) - spreads_.begin();
    if (spreads_[winner] <= magnitude(difference(node))) return splits_.first_split(node);
    return splits_.describe(node, winner, store_.cells(node, winner), spreads_[winner]);
  }

  void recall(Node& root, RootMemory& memory, Work& work) override {
    store_.recall(root, memory, work);
  }

  void hand_down(Node& parent, Node& left, Node& right, Work& work) override {
    store_.hand_down(parent, left, right, work);
  }

 private:
  void judge(const Node& node) {
    const Sum total = difference(node);
    for_slots(space_, context_.options.n_threads, [&](std::size_t slot) {
      spreads_[slot] = best_spread(splits_.cells_of(slot, store_.cells(node, slot), total));
    });
  }

  SearchContext context_;
  FeatureSpace space_;
  HistogramStore store_;
  SignedSplits splits_;
  std::vector<Sum> spreads_;
};

}  // namespace

std::unique_ptr<SplitSearch> make_signed_search(const SearchContext& context) {
  return std::make_unique<SignedSearch>(context);
}

}  // namespace frugalboost
