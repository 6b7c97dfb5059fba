#include "core/c45/arrays.hpp"

#include <cmath>
#include <limits>

#include "core/threads/listener.hpp"

namespace frugalboost::c45 {
namespace {

// Nodes still to visit, and how much of the row gets there.
struct Visit {
  std::int32_t node;
  double weight;
};

class Walk {
 public:
  Walk(const View& tree, const Poll& poll) : tree_(tree), listener_(poll), n_cases_(tree.n_nodes) {
    for (std::size_t i = 0; i < tree.n_nodes; ++i) {
      n_cases_[i] = add_up(tree.by_class + i * tree.n_classes, tree.n_classes);
    }
  }

  void add(const double* x, double* shares) {
    visits_.push_back({0, 1.0});
    while (!visits_.empty()) {
      listener_.goes_on(tree_.n_classes);
      const Visit visit = visits_.back();
      visits_.pop_back();
      if (tree_.feature[visit.node] < 0) {
        add_leaf(visit, shares);
      } else {
        go_on(visit, x[tree_.feature[visit.node]]);
      }
    }
  }

 private:
  void add_leaf(Visit visit, double* shares) const {
    const double n = n_cases_[visit.node];
    if (!(n > 0.0)) {
      shares[tree_.label[visit.node]] += visit.weight;
      return;
    }
    const double* by_class = tree_.by_class + visit.node * tree_.n_classes;
    for (std::size_t k = 0; k < tree_.n_classes; ++k) shares[k] += visit.weight * by_class[k] / n;
  }

  void go_on(Visit visit, double value) {
    const std::int32_t* first = tree_.children + tree_.child_offset[visit.node];
    const std::int32_t* last = tree_.children + tree_.child_offset[visit.node + 1];
    if (!std::isnan(value)) {
      const double threshold = tree_.threshold[visit.node];
      const bool is_category = std::isnan(threshold);
      const double branch = is_category ? value : (value > threshold ? 1.0 : 0.0);
      if (branch >= 0.0 && branch < static_cast<double>(last - first)) {
        visits_.push_back({first[static_cast<std::size_t>(branch)], visit.weight});
        return;
      }
    }
    const double n = n_cases_[visit.node];
    while (last != first) {  // the first branch on top
      --last;
      visits_.push_back({*last, visit.weight * n_cases_[*last] / n});
    }
  }

  const View& tree_;
  Listener listener_;
  std::vector<double> n_cases_;
  std::vector<Visit> visits_;
};

}  // namespace

Arrays to_arrays(const Table& table, const Tree& tree) {
  Arrays arrays;
  std::vector<std::int32_t> order, todo{0}, place(tree.size(), -1);
  while (!todo.empty()) {
    const std::int32_t at = todo.back();
    todo.pop_back();
    place[at] = static_cast<std::int32_t>(order.size());
    order.push_back(at);
    const std::vector<std::int32_t>& children = tree[at].children;
    todo.insert(todo.end(), children.rbegin(), children.rend());
  }
  arrays.child_offset.push_back(0);
  for (std::int32_t at : order) {
    const Node& node = tree[at];
    arrays.feature.push_back(node.is_leaf() ? -1 : node.split.feature);
    const bool is_cut = !node.is_leaf() && !table.columns[node.split.feature].is_category;
    arrays.threshold.push_back(is_cut ? table.columns[node.split.feature].values[node.split.cut]
                                      : std::numeric_limits<double>::quiet_NaN());
    arrays.label.push_back(node.label);
    arrays.by_class.insert(arrays.by_class.end(), node.by_class.begin(), node.by_class.end());
    for (std::int32_t child : node.children) arrays.children.push_back(place[child]);
    arrays.child_offset.push_back(static_cast<std::int64_t>(arrays.children.size()));
  }
  return arrays;
}

void add_shares(const View& tree, const double* X, std::size_t n_rows, std::size_t n_features,
                const Poll& poll, double* shares) {
  Walk walk(tree, poll);
  for (std::size_t i = 0; i < n_rows; ++i) {
    walk.add(X + i * n_features, shares + i * tree.n_classes);
  }
}

}  // namespace frugalboost::c45
