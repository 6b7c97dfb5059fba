#include <cstddef>
#include <vector>

#include "core/c45/extra_errors.hpp"
#include "core/c45/tree.hpp"

namespace frugalboost::c45 {
namespace {

constexpr double worse = 0.1;  // errors that a simpler tree may have more

class Pruner {
 public:
  Pruner(const Table& table, const Options& options, const Poll& poll, Tree& tree)
      : table_(table), extra_(options.confidence), poll_(poll), tree_(tree) {}

  // Prunes a subtree for these cases, which may be more than it grew on, and returns the errors
  // expected of it.
  double prune(std::int32_t at, const Cases& cases) {
    if (is_pruned_for(at, cases)) return tree_[at].errors;
    poll_();
    const double as_leaf = update(at, cases);
    if (tree_[at].is_leaf()) return tree_[at].errors = as_leaf;
    double as_tree = 0.0;
    const std::int32_t largest = prune_branches(at, cases, as_tree);
    const double as_branch = expected(largest, cases);
    if (as_leaf <= as_branch + worse && as_leaf <= as_tree + worse) {
      tree_[at].cut(as_leaf);
    } else if (as_branch <= as_tree + worse) {
      prune(largest, cases);
      tree_[at] = Node(tree_[largest]);
    } else {
      tree_[at].errors = as_tree;
    }
    return tree_[at].errors;
  }

 private:
  // Whether these are the cases that the subtree was pruned for last, so that doing it again would
  // change nothing. It only ever meets those again, perhaps with others: if they are as many, they
  // are the same, and whole ones have the weights of their rows. Without this, a path of a thousand
  // tests would be gone down, with all of its cases, from each of its nodes.
  bool is_pruned_for(std::int32_t at, const Cases& cases) const {
    return !cases.has_shares && cases.size() == tree_[at].n_pruned_for;
  }

  // Adds up the errors expected of the branches and returns the largest, the last of several.
  std::int32_t prune_branches(std::int32_t at, const Cases& cases, double& errors) {
    Division division(table_, tree_[at].split, cases);
    const std::vector<double>& weights = division.weights();
    std::size_t largest = 0;
    for (std::size_t b = 0; b < division.n_branches(); ++b) {
      if (weights[b] >= weights[largest]) largest = b;
      const Cases part = division.next();
      if (part.size()) errors += prune(tree_[at].children[b], part);
    }
    return tree_[at].children[largest];
  }

  // The errors expected of a subtree for these cases; nothing changes.
  double expected(std::int32_t at, const Cases& cases) {
    if (is_pruned_for(at, cases)) return tree_[at].errors;
    poll_();
    const Node& node = tree_[at];
    if (node.is_leaf()) {
      std::int32_t label = node.label;
      std::vector<double> by_class;
      return errors_of_leaf(cases, by_class, label);
    }
    Division division(table_, node.split, cases);
    double errors = 0.0;
    for (std::size_t b = 0; b < division.n_branches(); ++b) {
      const Cases part = division.next();
      if (part.size()) errors += expected(node.children[b], part);
    }
    return errors;
  }

  double update(std::int32_t at, const Cases& cases) {
    Node& node = tree_[at];
    node.n_pruned_for = cases.has_shares ? 0 : cases.size();
    return errors_of_leaf(cases, node.by_class, node.label);
  }

  // The errors expected of a leaf; it names the most frequent class, the one it named before if
  // that is one of several.
  double errors_of_leaf(const Cases& cases, std::vector<double>& by_class,
                        std::int32_t& label) const {
    by_class.assign(table_.n_classes, 0.0);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      by_class[table_.labels[cases.rows[i]]] += cases.weights[i];
    }
    for (std::size_t k = 0; k < by_class.size(); ++k) {
      if (by_class[k] > by_class[label]) label = static_cast<std::int32_t>(k);
    }
    const double n = add_up(cases.weights);
    const double errors = n - by_class[label];
    return errors + extra_(n, errors);
  }

  const Table& table_;
  const ExtraErrors extra_;
  const Poll& poll_;
  Tree& tree_;
};

}  // namespace

void prune(const Table& table, const Cases& cases, const Options& options, const Poll& poll,
           Tree& tree) {
  Pruner(table, options, poll, tree).prune(0, cases);
}

}  // namespace frugalboost::c45
