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

// A node with branches that are still to be grown, and what its tests and those above have used up.
struct Open {
  std::int32_t node;
  Division division;
  std::vector<char> is_tested;
};

class Grower {
 public:
  Grower(const Table& table, const Cases& cases, const Options& options, const Poll& poll)
      : table_(table),
        options_(options),
        poll_(poll),
        finder_(table, cases, options.min_cases, poll) {}

  // One branch after the other, so that only those of one path have cases.
  Tree grow(const Cases& cases) {
    add(cases, std::vector<char>(table_.columns.size(), 0));
    while (!open_.empty()) {
      poll_();
      if (open_.back().division.is_over()) {
        close();
      } else {
        grow_next();
      }
    }
    return std::move(tree_);
  }

 private:
  void grow_next() {
    Open& open = open_.back();
    const Cases part = open.division.next();
    Node& node = tree_[open.node];
    node.children.push_back(static_cast<std::int32_t>(tree_.size()));
    if (part.size()) {
      add(part, open.is_tested);
    } else {
      add_empty(node.label);
    }
  }

  // Adds a node, which stays open if it is split.
  void add(const Cases& cases, const std::vector<char>& is_tested) {
    const auto at = static_cast<std::int32_t>(tree_.size());
    const double n = add_up(cases.weights);
    tree_.push_back(leaf_of(table_, cases, n));
    if (!is_wanted(tree_[at], n)) return;
    const Split found = finder_.best(cases, is_tested);
    if (!found.exists()) return;
    tree_[at].split = found;
    open_.push_back({at, Division(table_, found, cases), is_tested});
    if (table_.columns[found.feature].is_category) open_.back().is_tested[found.feature] = 1;
  }

  bool is_wanted(const Node& node, double n) const {
    return open_.size() < most_depth && node.by_class[node.label] != n &&
           n >= 2 * options_.min_cases;
  }

  void add_empty(std::int32_t label) {
    Node node;
    node.by_class.assign(table_.n_classes, 0.0);
    node.label = label;
    tree_.push_back(std::move(node));
  }

  // All is grown below a node. It becomes a leaf if that is no worse; what was below it is last.
  void close() {
    const std::int32_t at = open_.back().node;
    open_.pop_back();
    Node& node = tree_[at];
    const double as_leaf = node.errors;
    node.errors = 0.0;
    for (std::int32_t child : node.children) node.errors += tree_[child].errors;
    if (node.errors >= as_leaf - slack) {
      node.cut(as_leaf);
      tree_.erase(tree_.begin() + at + 1, tree_.end());
    }
  }

  const Table& table_;
  const Options& options_;
  const Poll& poll_;
  SplitFinder finder_;
  Tree tree_;
  std::vector<Open> open_;  // a path
};

}  // namespace

Division::Division(const Table& table, const Split& split, const Cases& cases) {
  const Column& column = table.columns[split.feature];
  const std::size_t n_branches = column.is_category ? column.n_codes : 2;
  known_.resize(n_branches);
  weights_.resize(n_branches);
  if (n_branches == 2) {  // of many branches, each gets few cases
    for (Cases& part : known_) part.reserve(cases.size());
  }
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Row row = cases.rows[i];
    const std::int32_t branch = branch_of(column, split, row);
    if (branch == unknown) {
      unknown_.add(row, cases.weights[i]);
      continue;
    }
    known_[branch].add(row, cases.weights[i]);
    weights_[branch] += cases.weights[i];
  }
  // Branches wait for each other: on a long path, room for all cases at every node adds up.
  for (Cases& part : known_) part.give_back_spare_room();
  total_ = add_up(weights_);
}

Cases Division::take(std::size_t branch) {
  ++n_taken_;
  Cases known = std::move(known_[branch]);
  if (known.size() && unknown_.size()) known = with_shares(known, weights_[branch] / total_);
  if (is_over()) unknown_ = Cases{};
  return known;
}

// Of the cases whose branch is unknown as well, in the order of rows.
Cases Division::with_shares(const Cases& known, double share) const {
  const std::size_t n = known.size() + unknown_.size();
  Cases all;
  all.reserve(n);
  std::size_t next = 0;
  for (std::size_t i = 0; i < unknown_.size(); ++i) {
    for (; next < known.size() && known.rows[next] < unknown_.rows[i]; ++next) {
      all.add(known.rows[next], known.weights[next]);
    }
    all.add(unknown_.rows[i], unknown_.weights[i] * share);
  }
  for (; next < known.size(); ++next) all.add(known.rows[next], known.weights[next]);
  return all;
}

Tree grow(const Table& table, const Cases& cases, const Options& options, const Poll& poll) {
  return Grower(table, cases, options, poll).grow(cases);
}

}  // namespace frugalboost::c45
