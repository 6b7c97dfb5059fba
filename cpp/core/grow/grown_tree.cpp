#include "core/grow/grown_tree.hpp"

#include <algorithm>

#include "core/grow/sides.hpp"

namespace frugalboost {

void GrownTree::reserve(std::size_t n_nodes, std::size_t n_channels) {
  feature.reserve(n_nodes);
  bin.reserve(n_nodes);
  left.reserve(n_nodes);
  right.reserve(n_nodes);
  missing_left.reserve(n_nodes);
  category_start.reserve(n_nodes);
  loss.reserve(n_nodes);
  gain.reserve(n_nodes);
  n_samples.reserve(n_nodes);
  sums.reserve(n_nodes * n_channels);
}

void write_sums(const Problem& problem, const Sum* totals, Sum* sums) {
  if (problem.layout != Layout::real) {
    std::copy_n(totals, problem.n_channels(), sums);
    return;
  }
  for (int k = 0; k < problem.n_outputs; ++k) {
    sums[k] = problem.packing.weight(totals[k]);
    sums[problem.n_outputs + k] = problem.packing.numerator(totals[k]);
  }
}

void TreeWriter::add_node(GrownTree& tree, const Node& node, double loss) const {
  const auto id = static_cast<int>(tree.n_nodes());
  tree.feature.push_back(-1);
  tree.bin.push_back(-1);
  tree.left.push_back(-1);
  tree.right.push_back(-1);
  tree.missing_left.push_back(0);
  tree.category_start.push_back(-1);
  tree.loss.push_back(0.0);
  tree.gain.push_back(0.0);
  tree.n_samples.push_back(0);
  tree.sums.resize(tree.sums.size() + problem_.n_sums());
  set_node(tree, id, node, loss);
}

void TreeWriter::set_node(GrownTree& tree, int id, const Node& node, double loss) const {
  tree.loss[id] = loss;
  tree.n_samples[id] = static_cast<std::int64_t>(node.range.size());
  const std::size_t n_sums = problem_.n_sums();
  write_sums(problem_, node.totals.data(),
             tree.sums.data() + n_sums * static_cast<std::size_t>(id));
}

void TreeWriter::record_split(GrownTree& tree, const Open& open, const Node& left,
                              const Node& right) const {
  const SplitChoice& choice = open.choice;
  // Where nothing is known about missing values they follow the larger side.
  const bool missing_left =
      choice.missing_seen ? choice.missing_left : left.range.size() >= right.range.size();
  tree.feature[open.id] = static_cast<std::int32_t>(choice.feature);
  tree.gain[open.id] = open.gain;
  tree.missing_left[open.id] = missing_left;
  if (columns_.columns[choice.feature].is_categorical)
    record_categories(tree, open, missing_left);
  else
    tree.bin[open.id] = choice.bin;
}

void TreeWriter::make_room_for_categories(GrownTree& tree, const Open& open) const {
  const Column& column = columns_.columns[open.choice.feature];
  if (!column.is_categorical) return;
  const std::size_t start = tree.category_words.size();
  tree.category_start[open.id] = static_cast<std::int32_t>(start);
  tree.category_words.resize(start + (column.n_bins + 63) / 64, 0);
}

// Categories of the table that the node does not hold go the way of missing values.
void TreeWriter::record_categories(GrownTree& tree, const Open& open, bool missing_left) const {
  const Column& column = columns_.columns[open.choice.feature];
  std::vector<std::uint8_t> goes_left = side_of_code(column, open.choice);
  for (int code : open.choice.absent_codes) goes_left[code] = missing_left;
  std::uint64_t* words = tree.category_words.data() + tree.category_start[open.id];
  for (int code = 0; code < column.n_bins; ++code)
    if (goes_left[code]) words[code / 64] |= std::uint64_t{1} << (code % 64);
}

}  // namespace frugalboost
