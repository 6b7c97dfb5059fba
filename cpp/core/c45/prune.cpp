#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "core/c45/extra_errors.hpp"
#include "core/c45/tree.hpp"

namespace frugalboost::c45 {
namespace {

constexpr double worse = 0.1;  // errors that a simpler tree may have more

// Adds up errors until it is certain that they are too many, whatever else is added.
//
// Errors are not negative, but for rounding: they are differences of sums of weights, or nearly all
// of one. A sum of up to 2^31 doubles is off by less than 2^-21 of all that went into it, in this
// order or in another. So a margin of 2^-16 of the errors and of the weights is more than enough,
// also for paths of a thousand nodes that each round the shares of cases.
class Budget {
 public:
  Budget(double errors, double weight) : left_(errors + margin * (std::abs(errors) + weight)) {}

  double spend(double errors) {
    left_ -= errors;
    return errors;
  }
  bool is_spent() const { return left_ < 0.0; }

 private:
  static constexpr double margin = 1.0 / (1 << 16);

  double left_;
};

class Pruner {
 public:
  Pruner(const Table& table, const Cases& all, const Options& options, const Poll& poll, Tree& tree)
      : table_(table),
        weight_of_row_(table.n_rows),
        extra_(options.confidence),
        poll_(poll),
        tree_(tree) {
    for (std::size_t i = 0; i < all.size(); ++i) weight_of_row_[all.rows[i]] = all.weights[i];
  }

  // Prunes a subtree for these cases, which may be more than it grew on, and returns the errors
  // expected of it.
  double prune(std::int32_t at, const Cases& cases) {
    if (is_pruned_for(at, cases)) return tree_[at].errors;
    poll_();
    const double as_leaf = update(at, cases);
    if (tree_[at].is_leaf()) return tree_[at].errors = as_leaf;
    double as_tree = 0.0;
    const std::int32_t largest = prune_branches(at, cases, as_tree);
    // More would change nothing: the branch is out, and the leaf no worse than it.
    const double enough = as_leaf <= as_tree + worse ? as_leaf : as_tree + worse;
    Budget budget(enough, add_up(tree_[at].by_class));
    const double as_branch = expected(largest, cases, budget);
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
    return cases.size() == tree_[at].n_pruned_for && are_whole(cases);
  }

  // Whether none is a share. Missing values far above do not matter where none of their cases are.
  bool are_whole(const Cases& cases) const {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (cases.weights[i] != weight_of_row_[cases.rows[i]]) return false;
    }
    return true;
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

  // The errors expected of a subtree for these cases, or infinity if they exceed the budget;
  // nothing changes. Where cases are shared, no two nodes ask this for the same weights. Without a
  // budget, each would go down the whole path below it, although a few leaves nearly always tell.
  double expected(std::int32_t at, const Cases& cases, Budget& budget) {
    if (is_pruned_for(at, cases)) return budget.spend(tree_[at].errors);
    poll_();
    const Node& node = tree_[at];
    if (node.is_leaf()) {
      std::int32_t label = node.label;
      std::vector<double> by_class;
      return budget.spend(errors_of_leaf(cases, by_class, label));
    }
    Division division(table_, node.split, cases);
    std::vector<double> errors(division.n_branches());
    for (std::size_t b : largest_last(division.weights())) {
      const Cases part = division.take(b);
      if (part.size()) errors[b] = expected(node.children[b], part, budget);
      if (budget.is_spent()) return std::numeric_limits<double>::infinity();
    }
    return add_up(errors);
  }

  // The order of branches in which a long path comes after the leaves beside it.
  static std::vector<std::size_t> largest_last(const std::vector<double>& weights) {
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto largest = std::max_element(weights.begin(), weights.end()) - weights.begin();
    std::swap(order[largest], order.back());
    return order;
  }

  double update(std::int32_t at, const Cases& cases) {
    Node& node = tree_[at];
    node.n_pruned_for = are_whole(cases) ? cases.size() : 0;
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
  std::vector<double> weight_of_row_;
  const ExtraErrors extra_;
  const Poll& poll_;
  Tree& tree_;
};

}  // namespace

void prune(const Table& table, const Cases& cases, const Options& options, const Poll& poll,
           Tree& tree) {
  Pruner(table, cases, options, poll, tree).prune(0, cases);
}

}  // namespace frugalboost::c45
