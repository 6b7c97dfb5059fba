// A tree of C4.5 while it grows and is pruned, and as arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/c45/split_finder.hpp"
#include "core/c45/table.hpp"

namespace frugalboost::c45 {

// A leaf, unless it has children: one for each branch, later in the list of nodes.
struct Node {
  std::vector<double> by_class;  // weights of its cases
  std::int32_t label = 0;        // the class that it names
  double errors = 0.0;           // of the subtree
  std::size_t n_pruned_for = 0;  // whole cases that pruning has seen here; 0: none, or shares
  Split split;
  std::vector<std::int32_t> children;

  bool is_leaf() const { return children.empty(); }
  void cut(double as_leaf) {
    split = Split{};
    children.clear();
    errors = as_leaf;
  }
};

using Tree = std::vector<Node>;  // the root first

// The cases of a node by branch, handed out one branch at a time. A case of unknown value goes to
// every branch that has other cases, in shares of their weights: all branches at once would take as
// many times the memory as there are branches.
class Division {
 public:
  Division(const Table& table, const Split& split, const Cases& cases);

  // The cases of a branch, once.
  Cases take(std::size_t branch);
  // Of the next branch, the first to begin with, if none was taken out of order.
  Cases next() { return take(n_taken_); }

  bool is_over() const { return n_taken_ == known_.size(); }
  std::size_t n_branches() const { return weights_.size(); }
  // Of the cases whose branch is known.
  const std::vector<double>& weights() const { return weights_; }

 private:
  Cases with_shares(const Cases& known, double share) const;

  std::vector<Cases> known_;  // by branch, empty once it is taken
  Cases unknown_;
  std::vector<double> weights_;
  double total_;
  std::size_t n_taken_ = 0;
};

struct Options {
  double min_cases = 2.0;
  double confidence = 0.25;
  bool prunes = true;
};

// Tests on a path; deeper nodes are leaves. Only tables made for it have deeper trees, and pruning
// goes down a path by calls.
constexpr std::int32_t most_depth = 1000;

Tree grow(const Table& table, const Cases& cases, const Options& options, const Poll& poll);

void prune(const Table& table, const Cases& cases, const Options& options, const Poll& poll,
           Tree& tree);

}  // namespace frugalboost::c45
