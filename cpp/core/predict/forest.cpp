#include "core/predict/forest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace frugalboost {
namespace {

// The largest float that is not above t: a float is at most t if and only if it is at most this.
float float_at_most(double t) {
  const float nearest = static_cast<float>(t);
  return nearest > t ? std::nextafter(nearest, -std::numeric_limits<float>::infinity()) : nearest;
}

// Puts the trees of a model one after the other, level by level.
struct Packer {
  Forest& forest;
  const std::vector<FlatNode>& flat;
  const std::vector<double>& flat_values;
  std::vector<std::pair<std::int32_t, std::int32_t>> queue;  // flat position, level

  void pack_tree(std::int32_t begin) {
    queue.assign(1, {begin, 0});
    for (std::size_t k = 0; k < queue.size(); ++k) {
      const auto [from, level] = queue[k];
      const auto at = static_cast<std::int32_t>(begin + k);
      const FlatNode& node = flat[from];
      forest.number[at] = from - begin;
      const auto n_outputs = static_cast<std::size_t>(forest.n_outputs);
      std::copy_n(&flat_values[from * n_outputs], n_outputs, &forest.values[at * n_outputs]);
      if (node.feature < 0) {
        put(at, std::numeric_limits<double>::infinity(), 0, at, false);
        continue;
      }
      const auto left = static_cast<std::int32_t>(begin + queue.size());
      put(at, node.threshold, node.feature, left, !node.missing_left);
      if (node.category_start >= 0) put_set(at, {node.category_start, node.n_categories});
      queue.push_back({node.left, level + 1});
      queue.push_back({node.right, level + 1});
    }
    forest.depth.push_back(queue.back().second);
  }

  void put(std::int32_t at, double threshold, std::int32_t feature, std::int32_t left,
           bool missing_right) {
    const std::int32_t link = 2 * left + missing_right;
    forest.double_nodes[at] = {threshold, feature, link};
    forest.float_nodes[at] = {float_at_most(threshold), feature, link};
  }

  void put_set(std::int32_t at, CategorySet set) {
    forest.sets.resize(flat.size());
    forest.sets[at] = set;
  }
};

}  // namespace

Forest::Forest(const std::vector<FlatNode>& flat, std::vector<std::int64_t> first_nodes,
               std::vector<std::uint64_t> words, const std::vector<double>& flat_values,
               int outputs, int features)
    : roots(std::move(first_nodes)),
      float_nodes(flat.size()),
      double_nodes(flat.size()),
      category_words(std::move(words)),
      number(flat.size()),
      values(flat_values.size()),
      n_outputs(outputs),
      n_features(features) {
  Packer packer{*this, flat, flat_values, {}};
  for (std::size_t tree = 0; tree < n_trees(); ++tree)
    packer.pack_tree(static_cast<std::int32_t>(roots[tree]));
  // Trees without a split may come with a table that has no column to read.
  stumps_only = n_features > 0 && n_outputs == 1 && !has_categories() &&
                std::all_of(depth.begin(), depth.end(), [](auto levels) { return levels <= 1; });
}

}  // namespace frugalboost
