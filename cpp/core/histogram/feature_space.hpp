// Where the histogram of each searched feature lies.
#pragma once

#include <limits>
#include <vector>

#include "core/columns/columns.hpp"
#include "core/columns/row_blocks.hpp"
#include "core/columns/row_tiles.hpp"

namespace frugalboost {

// Slots number the searched features in ascending order, which is the order of ties. In memory the
// histograms of a block's features lie together, in the order of the block.
class FeatureSpace {
 public:
  static constexpr std::size_t no_slot = std::numeric_limits<std::size_t>::max();

  // A block of which at least one feature is searched.
  struct Block {
    const RowBlock* rows;
    std::size_t first_code;
    std::vector<std::size_t> slots;  // of the block's features; no_slot if not searched
  };

  // A tile all of whose features are searched. Its codes are followed by one that no feature has.
  struct Tile {
    const RowTile* rows;
    std::size_t first_code;
    std::vector<std::size_t> slots;
  };

  FeatureSpace(const Columns& columns, const RowBlocks& row_blocks,
               const std::vector<std::uint32_t>& features, int n_channels,
               const RowTiles* tiles = nullptr)
      : columns_(columns), features_(features), n_channels_(n_channels) {
    std::vector<std::size_t> slot_of(columns.columns.size(), no_slot);
    for (std::size_t slot = 0; slot < features.size(); ++slot) slot_of[features[slot]] = slot;
    code_offset_.assign(features.size(), no_slot);
    rest_code_.assign(features.size(), -1);
    if (tiles != nullptr)
      for (const RowTile& rows : tiles->tiles()) add_tile(rows, slot_of);
    for (const RowBlock& rows : row_blocks.blocks()) add_block(rows, slot_of);
    block_codes_ = n_codes_;
    for (std::size_t slot = 0; slot < features.size(); ++slot)
      if (code_offset_[slot] == no_slot) add_single(slot);
    for (std::size_t slot = 0; slot < features.size(); ++slot)
      n_searched_codes_ += column(slot).n_codes();
  }

  std::size_t size() const { return features_.size(); }
  std::size_t n_codes() const { return n_codes_; }
  // Of the searched features alone: blocks hold others too, and tiles a code that no feature has.
  std::size_t n_searched_codes() const { return n_searched_codes_; }
  std::size_t n_cells() const { return n_codes_ * n_channels_; }
  int n_channels() const { return static_cast<int>(n_channels_); }

  std::uint32_t feature(std::size_t slot) const { return features_[slot]; }
  const Column& column(std::size_t slot) const { return columns_.columns[features_[slot]]; }
  std::size_t cell_offset(std::size_t slot) const { return code_offset_[slot] * n_channels_; }
  std::size_t code_offset(std::size_t slot) const { return code_offset_[slot]; }

  // The code whose cell rows are not added to, being what the others leave of the totals; -1 if all
  // are.
  int rest_code(std::size_t slot) const { return rest_code_[slot]; }

  const std::vector<Tile>& tiles() const { return tiles_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  // Codes of all blocks: theirs come before those of single columns.
  std::size_t block_codes() const { return block_codes_; }
  // Slots outside the blocks, ascending.
  const std::vector<std::size_t>& singles() const { return singles_; }

 private:
  void add_tile(const RowTile& rows, const std::vector<std::size_t>& slot_of) {
    Tile tile{&rows, n_codes_, {}};
    for (std::uint32_t feature : rows.features) {
      if (slot_of[feature] == no_slot) return;
      tile.slots.push_back(slot_of[feature]);
    }
    for (std::size_t i = 0; i < tile.slots.size(); ++i) {
      code_offset_[tile.slots[i]] = n_codes_ + rows.first_code[i];
      rest_code_[tile.slots[i]] = rows.default_code[i];
    }
    n_codes_ += rows.n_codes + 1;
    tiles_.push_back(std::move(tile));
  }

  void add_block(const RowBlock& rows, const std::vector<std::size_t>& slot_of) {
    Block block{&rows, n_codes_, {}};
    bool is_searched = false;
    for (std::size_t i = 0; i < rows.features.size(); ++i) {
      std::size_t slot = slot_of[rows.features[i]];
      if (slot != no_slot && code_offset_[slot] != no_slot) slot = no_slot;  // is in a tile
      block.slots.push_back(slot);
      if (slot == no_slot) continue;
      code_offset_[slot] = n_codes_ + rows.first_code[i];
      rest_code_[slot] = rows.default_code[i];
      is_searched = true;
    }
    if (!is_searched) return;
    n_codes_ += rows.n_codes;
    blocks_.push_back(std::move(block));
  }

  void add_single(std::size_t slot) {
    singles_.push_back(slot);
    code_offset_[slot] = n_codes_;
    if (column(slot).storage == Storage::sparse) rest_code_[slot] = column(slot).default_code;
    n_codes_ += column(slot).n_codes();
  }

  const Columns& columns_;
  const std::vector<std::uint32_t>& features_;
  std::size_t n_channels_;
  std::size_t n_codes_ = 0, block_codes_ = 0, n_searched_codes_ = 0;
  std::vector<std::size_t> code_offset_;
  std::vector<int> rest_code_;
  std::vector<Tile> tiles_;
  std::vector<Block> blocks_;
  std::vector<std::size_t> singles_;
};

}  // namespace frugalboost
