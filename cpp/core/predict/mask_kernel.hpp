// The leaves of many rows, by the masks of leaf_masks.hpp.
#pragma once

#include <cstdint>

#include "core/predict/leaf_masks.hpp"
#include "core/predict/tile.hpp"

namespace frugalboost {

// The leaf of each row of a tile, counted from the tree's leftmost.
void find_masked_leaves(const LeafMasks<float>& masks, const MaskedTree& tree,
                        const TileColumn<float>* tile, std::uint32_t* leaves);
void find_masked_leaves(const LeafMasks<double>& masks, const MaskedTree& tree,
                        const TileColumn<double>* tile, std::uint32_t* leaves);

}  // namespace frugalboost
