#include "core/predict/leaf_masks.hpp"

#include <algorithm>

namespace frugalboost {
namespace {

template <class Real>
const PackedNode<Real>* nodes_of(const Forest& forest) {
  if constexpr (sizeof(Real) == sizeof(float))
    return forest.float_nodes.data();
  else
    return forest.double_nodes.data();
}

// Leaves [begin, end) of a tree.
struct LeafRange {
  std::uint32_t begin, end;
};

// Bits of a word that stand for leaves before `leaf`.
std::uint32_t bits_before(std::uint32_t leaf, std::uint32_t word) {
  const std::uint32_t first = word * leaves_per_word;
  if (leaf <= first) return 0;
  return leaf - first >= leaves_per_word ? ~0u : (1u << (leaf - first)) - 1;
}

// Turns one tree after another into masks.
template <class Real>
struct MaskMaker {
  LeafMasks<Real>& masks;
  const Forest& forest;
  std::size_t n_rows;
  std::vector<std::int32_t> column;  // of each feature; -1 if it has none yet
  // Of the tree in hand:
  const PackedNode<Real>* nodes = nullptr;
  std::int32_t root = 0;
  std::uint32_t n_nodes = 0;
  std::vector<LeafRange> below{};      // each node
  std::vector<std::uint32_t> place{};  // of the next split: word by word, NaN left, NaN right

  void add(std::size_t tree) {
    root = static_cast<std::int32_t>(forest.roots[tree]);
    n_nodes = static_cast<std::uint32_t>(forest.roots[tree + 1] - forest.roots[tree]);
    nodes = nodes_of<Real>(forest) + root;
    MaskedTree made{n_words(), n_words(), masks.leaf_nodes.size()};
    if (pays() && is_numeric()) {
      find_leaves_below();
      put_leaves(made.first_leaf);
      put_words();
      put_splits();
      made.last_word = n_words();
    }
    masks.trees.push_back(made);
  }

  std::uint32_t n_words() const { return static_cast<std::uint32_t>(masks.words.size()); }

  // A node takes as long to mask as a row takes to walk a level or two.
  bool pays() const { return n_nodes <= std::min(2 * most_masked_leaves, n_rows); }

  bool is_numeric() const {
    return !forest.has_categories() ||
           std::all_of(&forest.sets[root], &forest.sets[root] + n_nodes,
                       [](const CategorySet& set) { return set.start < 0; });
  }

  std::uint32_t left_of(std::uint32_t i) const { return (nodes[i].link >> 1) - root; }
  bool is_leaf(std::uint32_t i) const { return left_of(i) == i; }

  // Children come after their parent: numbers of leaves go up, their places come down.
  void find_leaves_below() {
    below.assign(n_nodes, {0, 1});
    for (std::uint32_t i = n_nodes; i-- > 0;)
      if (!is_leaf(i)) below[i].end = below[left_of(i)].end + below[left_of(i) + 1].end;
    for (std::uint32_t i = 0; i < n_nodes; ++i) {
      if (is_leaf(i)) continue;
      LeafRange &left = below[left_of(i)], &right = below[left_of(i) + 1];
      left = {below[i].begin, below[i].begin + left.end};
      right = {left.end, left.end + right.end};
    }
  }

  void put_leaves(std::size_t first_leaf) {
    const std::size_t n_outputs = forest.n_outputs;
    masks.leaf_nodes.resize(first_leaf + below[0].end);
    masks.leaf_values.resize(masks.leaf_nodes.size() * n_outputs);
    for (std::uint32_t i = 0; i < n_nodes; ++i) {
      if (!is_leaf(i)) continue;
      const std::size_t leaf = first_leaf + below[i].begin, node = root + std::size_t{i};
      masks.leaf_nodes[leaf] = static_cast<std::int32_t>(node);
      std::copy_n(&forest.values[node * n_outputs], n_outputs,
                  &masks.leaf_values[leaf * n_outputs]);
    }
  }

  // Calls body(node, word, place) for each word that has leaves on the left of a split.
  template <class Body>
  void for_splits(Body&& body) {
    for (std::uint32_t i = 0; i < n_nodes; ++i) {
      if (is_leaf(i)) continue;
      const LeafRange left = below[left_of(i)];
      const std::uint32_t last_word = (left.end - 1) / leaves_per_word;
      for (std::uint32_t word = left.begin / leaves_per_word; word <= last_word; ++word)
        body(i, word, place[2 * word + (nodes[i].link & 1)]);
    }
  }

  void put_words() {
    place.assign(2 * ((below[0].end - 1) / leaves_per_word + 1), 0);
    for_splits([](std::uint32_t, std::uint32_t, std::uint32_t& count) { ++count; });
    auto next = static_cast<std::uint32_t>(masks.splits.size());
    for (std::size_t k = 0; k < place.size(); k += 2) {
      const std::uint32_t middle = next + place[k], last = middle + place[k + 1];
      masks.words.push_back({next, middle, last});
      place[k] = next;
      place[k + 1] = middle;
      next = last;
    }
    masks.splits.resize(next);
  }

  void put_splits() {
    for_splits([&](std::uint32_t i, std::uint32_t word, std::uint32_t& at) {
      const LeafRange left = below[left_of(i)];
      const std::uint32_t ruled_out = bits_before(left.end, word) & ~bits_before(left.begin, word);
      masks.splits[at++] = {nodes[i].threshold, column_of(nodes[i].feature), ~ruled_out};
    });
  }

  std::uint32_t column_of(std::int32_t feature) {
    if (column[feature] < 0) {
      column[feature] = static_cast<std::int32_t>(masks.features.size());
      masks.features.push_back(feature);
    }
    return column[feature];
  }
};

}  // namespace

template <class Real>
LeafMasks<Real>::LeafMasks(const Forest& forest, std::size_t first, std::size_t last,
                           std::size_t n_rows)
    : first_tree(first) {
  MaskMaker<Real> maker{*this, forest, n_rows, std::vector<std::int32_t>(forest.n_features, -1)};
  trees.reserve(last - first);
  words.reserve(last - first);
  const std::size_t n_leaves = (forest.roots[last] - forest.roots[first] + last - first) / 2;
  leaf_nodes.reserve(n_leaves);
  leaf_values.reserve(n_leaves * forest.n_outputs);
  splits.reserve(n_leaves);
  for (std::size_t tree = first; tree < last; ++tree) maker.add(tree);
}

template struct LeafMasks<float>;
template struct LeafMasks<double>;

}  // namespace frugalboost
