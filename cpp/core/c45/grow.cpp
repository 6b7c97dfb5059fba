#include <algorithm>
#include <utility>

#include "core/c45/tree.hpp"

namespace frugalboost::c45 {
namespace {

// The weights of the classes; the most frequent of them, ties to the lowest.
Node leaf_of(const Table& table, const Cases& cases, double n) {
  Node node;
  node.by_class.assign(table.n_classes, 0.0);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    node.by_class[table.labels[cases.rows[i]]] += cases.weights[i];
  }
  const auto most = std::max_element(node.by_class.begin(), node.by_class.end());
  node.label = static_cast<std::int32_t>(most - node.by_class.begin());
  node.errors = n - *most;
  return node;
}

std::int32_t branch_of(const Column& column, const Split& split, Row row) {
  const std::int32_t code = column.codes[row];
  if (code == unknown || column.is_category) return code;
  return code > split.cut;
}

// A node whose branches are still to be grown.
struct Open {
  std::int32_t node;
  std::int32_t depth;
  Cases cases;
  std::vector<char> is_tested;
};

class Grower {
 public:
  Grower(const Table& table, const Cases& cases, const Options& options)
      : table_(table), options_(options), finder_(table, cases, options.min_cases) {}

  Tree grow(const Cases& cases, const Poll& poll) {
    open_.push_back({add(cases), 0, cases, std::vector<char>(table_.columns.size(), 0)});
    while (!open_.empty()) {
      poll();
      const Open next = std::move(open_.back());
      open_.pop_back();
      split(next);
    }
    collapse();
    return std::move(tree_);
  }

 private:
  std::int32_t add(const Cases& cases) {
    tree_.push_back(leaf_of(table_, cases, add_up(cases.weights)));
    return static_cast<std::int32_t>(tree_.size() - 1);
  }

  bool is_wanted(const Open& open) const {
    const Node& node = tree_[open.node];
    const double n = add_up(open.cases.weights);
    return open.depth < most_depth && node.by_class[node.label] != n && n >= 2 * options_.min_cases;
  }

  void split(const Open& open) {
    if (!is_wanted(open)) return;
    const Split found = finder_.best(open.cases, open.is_tested);
    if (!found.exists()) return;
    std::vector<char> is_tested = open.is_tested;
    if (table_.columns[found.feature].is_category) is_tested[found.feature] = 1;
    Division division = divide(table_, found, open.cases);
    std::vector<std::int32_t> children;
    for (Cases& part : division.parts) {
      children.push_back(part.size() ? add(part) : add_empty(tree_[open.node].label));
      if (part.size())
        open_.push_back({children.back(), open.depth + 1, std::move(part), is_tested});
    }
    tree_[open.node].split = found;
    tree_[open.node].children = std::move(children);
  }

  std::int32_t add_empty(std::int32_t label) {
    Node node;
    node.by_class.assign(table_.n_classes, 0.0);
    node.label = label;
    tree_.push_back(std::move(node));
    return static_cast<std::int32_t>(tree_.size() - 1);
  }

  // Makes leaves of nodes that are no worse off with one: children come after their parents.
  void collapse() {
    for (auto node = tree_.rbegin(); node != tree_.rend(); ++node) {
      if (node->is_leaf()) continue;
      const double as_leaf = node->errors;
      double as_tree = 0.0;
      for (std::int32_t child : node->children) as_tree += tree_[child].errors;
      node->errors = as_tree;
      if (as_tree >= as_leaf - slack) node->cut(as_leaf);
    }
  }

  const Table& table_;
  const Options& options_;
  SplitFinder finder_;
  Tree tree_;
  std::vector<Open> open_;
};

}  // namespace

Division divide(const Table& table, const Split& split, const Cases& cases) {
  const Column& column = table.columns[split.feature];
  const std::size_t n_branches = column.is_category ? column.n_codes : 2;
  Division division{std::vector<Cases>(n_branches), std::vector<double>(n_branches, 0.0)};
  std::vector<char> has_cases(n_branches, 0);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::int32_t branch = branch_of(column, split, cases.rows[i]);
    if (branch == unknown) continue;
    division.known[branch] += cases.weights[i];
    has_cases[branch] = 1;
  }
  for (Cases& part : division.parts) part.has_shares = cases.has_shares;
  const double total = add_up(division.known);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Row row = cases.rows[i];
    const std::int32_t branch = branch_of(column, split, row);
    if (branch != unknown) {
      division.parts[branch].add(row, cases.weights[i]);
      continue;
    }
    for (std::size_t b = 0; b < n_branches; ++b) {
      if (!has_cases[b]) continue;
      division.parts[b].add(row, cases.weights[i] * (division.known[b] / total));
      division.parts[b].has_shares = true;
    }
  }
  return division;
}

Tree grow(const Table& table, const Cases& cases, const Options& options, const Poll& poll) {
  return Grower(table, cases, options).grow(cases, poll);
}

}  // namespace frugalboost::c45
