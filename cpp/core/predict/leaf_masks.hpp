// Trees without a walk: every split of a tree rules out leaves, for many rows at a time.
//
// Leaves are bits, from left to right. A row that goes right at a split is in none of the leaves on
// its left, so their bits are taken from it; the lowest bit that stays is the row's leaf, whichever
// order the splits are asked in (QuickScorer: Lucchese et al., SIGIR 2015). A walk asks fewer
// splits, but must know the answer to one before it can find the next; here a vector of rows
// answers a split at once, and no step waits for memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/predict/forest.hpp"

namespace frugalboost {

constexpr std::uint32_t leaves_per_word = 32;

// A larger tree is walked: the time that masks take grows with its splits, that of a walk with its
// depth. At 512 leaves they are about equal.
constexpr std::size_t most_masked_leaves = 256;

template <class Real>
struct MaskedSplit {
  Real threshold;
  std::uint32_t column;  // of a tile
  std::uint32_t stays;   // leaves that a row keeps when it goes right
};

// A word of leaves. NaN goes left at its splits [first, middle) and right at [middle, last).
struct LeafWord {
  std::uint32_t first, middle, last;
};

struct MaskedTree {
  std::uint32_t first_word, last_word;  // none if the tree is to be walked
  std::size_t first_leaf;

  bool is_masked() const { return first_word < last_word; }
};

// Trees [first, last) of a forest. Making them takes about as long as it takes a few dozen rows to
// walk, so a forest does not keep them.
template <class Real>
struct LeafMasks {
  LeafMasks(const Forest& forest, std::size_t first, std::size_t last, std::size_t n_rows);

  const MaskedTree& tree(std::size_t number) const { return trees[number - first_tree]; }
  std::size_t n_masked() const {
    return std::count_if(trees.begin(), trees.end(), [](auto& tree) { return tree.is_masked(); });
  }

  std::size_t first_tree;
  std::vector<MaskedTree> trees;
  std::vector<LeafWord> words;
  std::vector<MaskedSplit<Real>> splits;
  std::vector<std::int32_t> leaf_nodes;  // of the forest
  std::vector<double> leaf_values;       // (leaves, n_outputs)
  std::vector<std::int32_t> features;    // of the columns of a tile
};

}  // namespace frugalboost
