#include "core/grow/sharing.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace frugalboost {
namespace {

// To have threads begin with nodes of their own, and to wait for the last one.
constexpr double meeting = 1.0;

// To divide the rows of one node and search its children, threads meet several times; for less than
// `smallest` they are left asleep.
constexpr double meetings = 2.0;
constexpr double smallest = 3.0;

// Until the last thread is done, if whichever is free takes the largest node that is left.
double time_shared(std::vector<double> costs, int n_threads) {
  std::sort(costs.begin(), costs.end(), std::greater<>());
  std::vector<double> busy(n_threads, 0.0);
  for (double cost : costs) *std::min_element(busy.begin(), busy.end()) += cost;
  return *std::max_element(busy.begin(), busy.end()) + meeting;
}

}  // namespace

// By all threads together.
double Sharing::time_alone(double cost) const {
  if (cost < smallest) return cost;
  return cost / std::min(cost, static_cast<double>(n_threads)) + meetings * meeting;
}

bool Sharing::pays(const std::vector<double>& costs) const {
  if (n_threads == 1 || costs.size() < 2) return false;
  double one_by_one = 0.0;
  for (double cost : costs) one_by_one += time_alone(cost);
  return time_shared(costs, n_threads) <= eagerness * one_by_one;
}

}  // namespace frugalboost
