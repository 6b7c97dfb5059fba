// What each feature adds to a decision: Shapley values of trees, exact (path-dependent TreeSHAP).
//
// Of a row let only the features in a set S be known. A tree then expects (Lundberg et al. 2018)
// the sum over its leaves of
//
//   value * product over j in S of follows_j * product over the other j of share_j,
//
// j running over the features on the way to the leaf. follows_j is 1 if the row passes all splits
// on j there, else 0; share_j is the share of training rows that do, split by split. Averaged over
// all orders in which features may become known, feature i adds
//
//   value * (follows_i - share_i) * integral over t from 0 to 1 of
//                                   product over j != i of ((1 - t) share_j + t follows_j)
//
// because t^k (1 - t)^(d - 1 - k) integrates to k! (d - 1 - k)! / d!, Shapley's weight of a set of
// k of the d - 1 other features. The integrand is a polynomial of degree d - 1, so the d / 2 points
// of Gauss and Legendre give the integral exactly, and its factors are positive, so nothing
// cancels. One walk through a tree is enough for all features: for each point the product goes down
// with it, and the sums over leaves come up.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/explain/quadrature.hpp"
#include "core/predict/forest.hpp"
#include "core/threads/listener.hpp"

namespace frugalboost {

// A node, in the order of a walk that goes all the way down before it turns.
struct ShapStep {
  std::int32_t node, parent;  // positions in the forest
  std::int32_t feature;       // that the parent splits on
  std::int32_t level;         // of the node; 0 at the root
  std::int32_t before;        // level of the last step above on the same feature; 0 if none is
  bool is_left, is_leaf;
  double share;                      // of the parent's training rows
  double shares_before, shares_now;  // products of the shares of all steps on the feature
};

// How to walk through one tree.
struct ShapTree {
  std::size_t first_step, n_steps;
  std::size_t n_points;  // half of the most features on one path
  std::size_t depth;
  std::size_t first_factor;
};

class ShapForest {
 public:
  // The forest must outlive it. `rows_of_node`, in the order of the nodes that the forest was made
  // of, must be positive.
  ShapForest(const Forest& forest, const std::vector<double>& rows_of_node,
             const Poll& poll = unheard);

  // Adds what each feature adds to `values` (n, n_features, n_outputs); rows do not depend on one
  // another, nor on the number of threads.
  void add(const MatrixView& X, int n_threads, const Poll& poll, double* values) const;

  const std::vector<double>& expected() const { return expected_; }  // for no known feature
  const Forest& forest() const { return *forest_; }

 private:
  void make_factors(ShapTree& tree, Listener& listener);
  const Quadrature& quadrature(std::size_t n_points, Listener& listener);

  const Forest* forest_;
  std::vector<ShapTree> trees_;
  std::vector<ShapStep> steps_;
  std::vector<double> factors_;                    // see shap_kernel.hpp
  std::map<std::size_t, Quadrature> quadratures_;  // by their number of points
  std::vector<double> expected_;
};

}  // namespace frugalboost
