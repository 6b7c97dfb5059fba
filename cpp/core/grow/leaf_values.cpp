#include "core/grow/leaf_values.hpp"

#include <algorithm>
#include <cmath>

namespace frugalboost {
namespace {

// The heaviest class of a leaf, ties to the lowest.
std::size_t heaviest(const double* sums, std::size_t n_classes) {
  return static_cast<std::size_t>(std::max_element(sums, sums + n_classes) - sums);
}

double largest_of(const double* values, std::size_t n) {
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(values[i]));
  return largest;
}

}  // namespace

void scale_sums(const Sum* sums, std::size_t n_leaves, std::size_t n_channels, int first,
                int second, double* out) {
  for (std::size_t leaf = 0; leaf < n_leaves; ++leaf)
    for (std::size_t c = 0; c < n_channels; ++c, ++sums, ++out)
      *out = std::ldexp(static_cast<double>(*sums), c < n_channels / 2 ? -first : -second);
}

Answers name_classes(const double* sums, std::size_t n_leaves, std::size_t n_classes,
                     double* codes) {
  const std::size_t width = n_classes == 2 ? 1 : n_classes;
  const double other = n_classes == 2 ? -1.0 : -1.0 / static_cast<double>(n_classes - 1);
  std::fill_n(codes, n_leaves * width, other);
  for (std::size_t leaf = 0; leaf < n_leaves; ++leaf) {
    const std::size_t named = heaviest(sums + leaf * n_classes, n_classes);
    if (n_classes > 2) codes[leaf * width + named] = 1.0;
    if (n_classes == 2 && named == 1) codes[leaf] = 1.0;
  }
  const auto most = [&](std::size_t leaf) {
    const double* of_leaf = sums + leaf * n_classes;
    return *std::max_element(of_leaf, of_leaf + n_classes);
  };
  const double right = pairwise_sum(n_leaves, most);
  // Summed from the lost classes, never as a difference, so it is 0 only if no row is wrong.
  if (n_classes == 2)
    return {right, pairwise_sum(n_leaves, [&](std::size_t leaf) {
              return std::min(sums[2 * leaf], sums[2 * leaf + 1]);
            })};
  return {right, pairwise_sum(n_leaves * n_classes,
                              [&](std::size_t i) { return codes[i] == 1.0 ? 0.0 : sums[i]; })};
}

void raise_misses(const double* values, std::size_t n_leaves, std::size_t n_classes, double amount,
                  double* rise) {
  for (std::size_t leaf = 0; leaf < n_leaves; ++leaf) {
    const std::size_t named = n_classes == 2 ? static_cast<std::size_t>(values[leaf] > 0.0)
                                             : heaviest(values + leaf * n_classes, n_classes);
    for (std::size_t k = 0; k < n_classes; ++k)
      rise[leaf * n_classes + k] = k == named ? 0.0 : amount;
  }
}

Steps newton_values(const double* sums, std::size_t n_leaves, double prior, double largest,
                    double* values) {
  for (std::size_t leaf = 0; leaf < n_leaves; ++leaf)
    values[leaf] =
        std::min(std::max(sums[2 * leaf + 1] / (sums[2 * leaf] + prior), -largest), largest);
  const auto weight = [&](std::size_t leaf) { return sums[2 * leaf]; };
  const auto square = [&](std::size_t leaf) {
    return weight(leaf) * (values[leaf] * values[leaf]);
  };
  return {pairwise_sum(n_leaves, square) / pairwise_sum(n_leaves, weight),
          largest_of(values, n_leaves)};
}

Steps mean_values(const double* sums, std::size_t n_leaves, double* values) {
  for (std::size_t leaf = 0; leaf < n_leaves; ++leaf)
    values[leaf] = sums[2 * leaf + 1] / sums[2 * leaf];
  const auto weight = [&](std::size_t leaf) { return sums[2 * leaf]; };
  const double total = pairwise_sum(n_leaves, weight);
  const auto square = [&](std::size_t leaf) {
    return weight(leaf) / total * (values[leaf] * values[leaf]);
  };
  return {pairwise_sum(n_leaves, square), largest_of(values, n_leaves)};
}

}  // namespace frugalboost
