// A node of a growing tree whose best split is known.
#pragma once

#include <memory>

#include "core/search/search.hpp"

namespace frugalboost {

struct Children;

struct Open {
  Node node;
  SplitChoice choice;  // not found: a leaf
  int depth = 0;
  double loss = 0.0, gain = 0.0;
  int id = 0;                          // once it is written down
  std::unique_ptr<Children> children;  // once its rows are divided
};

struct Children {
  Open left, right;
  Work work;  // of dividing their parent and searching them
};

}  // namespace frugalboost
