// Rows of a table in trees of a forest: by masks where trees have them, by walks elsewhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/base/scratch.hpp"
#include "core/predict/mask_kernel.hpp"
#include "core/predict/walk.hpp"

namespace frugalboost {

// Fewer rows leave most of a tile unused; they walk.
constexpr std::size_t fewest_masked_rows = 24;

// `Out` is told of leaves in both ways: walked(row, tree, node) and masked(row, n, tree, masks,
// leaves) for n rows from `row` on.
template <class Way, class Out>
class Visitor {
 public:
  using Real = typename Way::Real;

  // For trees [first, last) and about n_rows rows in all.
  Visitor(const Way& walk, const Out& out, std::size_t first, std::size_t last, std::size_t n_rows)
      : walk_(walk), out_(out) {
    if (n_rows < fewest_masked_rows) return;
    masks_.emplace(walk.forest, first, last, n_rows);
    if (!masks_pay()) masks_.reset();
  }

  // Of a row, in cell updates.
  std::size_t cost(std::size_t n_trees) const {
    constexpr std::size_t walked = 8, masked = 2;
    return masks_ ? n_trees * walked - masks_->n_masked() * (walked - masked) : n_trees * walked;
  }

  // Rows [begin, end) in trees [first, last); a row sees its trees in their order. Several threads
  // may call it at once.
  void visit(std::size_t begin, std::size_t end, std::size_t first, std::size_t last) const {
    if (!masks_) return visit_block(walk_, begin, end, first, last, walked());
    Scratch<TileColumn<Real>> room;
    TileColumn<Real>* tile = room.room_for(masks_->features.size());
    for (; begin < end; begin += tile_rows)
      visit_tile(begin, std::min(end, begin + tile_rows), first, last, tile);
  }

 private:
  // A tile is filled with every feature that a tree uses, a walk reads a few. With more columns
  // than this, to fill it would take longer than the walks, or it would not stay in the cache.
  bool masks_pay() const {
    constexpr std::size_t columns_worth_a_tree = 12, most_columns = 4096;
    return masks_->features.size() <=
           std::min(most_columns, columns_worth_a_tree * masks_->n_masked());
  }

  auto walked() const {
    return [out = out_](std::size_t row, std::size_t tree, std::int32_t node) {
      out.walked(row, tree, node);
    };
  }

  void visit_tile(std::size_t begin, std::size_t end, std::size_t first, std::size_t last,
                  TileColumn<Real>* tile) const {
    if (end - begin < fewest_masked_rows)
      return visit_block(walk_, begin, end, first, last, walked());
    fill_tile<typename Way::Value>(walk_.table, masks_->features, begin, end, tile);
    for (std::size_t stop, tree = first; tree < last; tree = stop) {
      stop = tree + 1;
      if (masks_->tree(tree).is_masked()) {
        visit_masked(begin, end - begin, tree, tile);
        continue;
      }
      while (stop < last && !masks_->tree(stop).is_masked()) ++stop;
      visit_block(walk_, begin, end, tree, stop, walked());
    }
  }

  void visit_masked(std::size_t begin, std::size_t n, std::size_t tree,
                    const TileColumn<Real>* tile) const {
    alignas(64) std::uint32_t leaves[tile_rows];
    find_masked_leaves(*masks_, masks_->tree(tree), tile, leaves);
    out_.masked(begin, n, tree, *masks_, leaves);
  }

  const Way& walk_;
  const Out& out_;
  std::optional<LeafMasks<Real>> masks_;
};

}  // namespace frugalboost
