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

// Cases by branch, and the weight of those whose branch is known.
struct Division {
  std::vector<Cases> parts;
  std::vector<double> known;
};

// A case of unknown value goes to every branch that has other cases, in shares of their weights.
Division divide(const Table& table, const Split& split, const Cases& cases);

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
