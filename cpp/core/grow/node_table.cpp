#include "core/grow/node_table.hpp"

#include <algorithm>

namespace frugalboost {
namespace {

template <class T>
void copy_to(const std::vector<T>& from, std::vector<T>& to, std::size_t first) {
  std::copy(from.begin(), from.end(), to.begin() + static_cast<std::ptrdiff_t>(first));
}

}  // namespace

NodeTable::NodeTable(std::size_t n_nodes, std::size_t n_words, std::size_t n_outputs)
    : feature(n_nodes),
      left(n_nodes),
      right(n_nodes),
      category_start(n_nodes),
      n_categories(n_nodes),
      missing_left(n_nodes),
      category_words(n_words),
      threshold(n_nodes),
      gain(n_nodes),
      value(n_nodes * n_outputs),
      n_samples(n_nodes),
      n_outputs_(n_outputs) {}

std::optional<NodeTable::Place> NodeTable::add(const GrownTree& tree, const double* values) {
  const Place place{n_nodes_, n_words_};
  if (place.first_node + tree.n_nodes() > feature.size() ||
      place.first_word + tree.category_words.size() > category_words.size())
    return std::nullopt;
  copy_to(tree.feature, feature, place.first_node);
  copy_to(tree.left, left, place.first_node);
  copy_to(tree.right, right, place.first_node);
  copy_to(tree.category_start, category_start, place.first_node);
  copy_to(tree.n_categories, n_categories, place.first_node);
  copy_to(tree.missing_left, missing_left, place.first_node);
  copy_to(tree.category_words, category_words, place.first_word);
  copy_to(tree.threshold, threshold, place.first_node);
  copy_to(tree.gain, gain, place.first_node);
  copy_to(tree.n_samples, n_samples, place.first_node);
  // Inner nodes say nothing: their values stay zero.
  double* value_of_node = value.data() + place.first_node * n_outputs_;
  for (std::size_t id = 0; id < tree.n_nodes(); ++id, value_of_node += n_outputs_) {
    if (tree.feature[id] >= 0) continue;
    std::copy_n(values, n_outputs_, value_of_node);
    values += n_outputs_;
  }
  n_nodes_ += tree.n_nodes();
  n_words_ += tree.category_words.size();
  return place;
}

}  // namespace frugalboost
