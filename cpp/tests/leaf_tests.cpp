// What leaves say, and where trees are kept.
#include <algorithm>
#include <numeric>
#include <vector>

#include "core/grow/leaf_values.hpp"
#include "core/grow/node_table.hpp"
#include "tests/check.hpp"
#include "tests/random_table.hpp"

namespace frugalboost::testing {
namespace {

// Whole numbers, whose sums do not depend on the order.
std::vector<double> whole_numbers(Random& random, std::size_t n) {
  std::vector<double> numbers(n);
  for (double& number : numbers) number = draw(random, 0, 1000);
  return numbers;
}

// A root with two leaves, split by a category.
GrownTree stump(std::int32_t feature) {
  GrownTree tree;
  tree.feature = {feature, -1, -1};
  tree.bin = tree.category_start = tree.left = tree.right = {-1, -1, -1};
  tree.missing_left = {1, 0, 0};
  tree.category_words = {static_cast<std::uint64_t>(feature)};
  tree.threshold = tree.loss = tree.gain = {0.5, 0.0, 0.0};
  tree.n_categories = {3, 0, 0};
  tree.n_samples = {9, 4, 5};
  return tree;
}

}  // namespace

void test_leaf_values(Random& random) {
  for (std::size_t n_classes : {2, 3, 10}) {
    for (std::size_t n_leaves : {1, 7, 8, 31, 300}) {
      const std::vector<double> sums = whole_numbers(random, n_leaves * n_classes);
      std::vector<double> codes(n_leaves * (n_classes == 2 ? 1 : n_classes)), rise(sums.size());
      const Answers answers = name_classes(sums.data(), n_leaves, n_classes, codes.data());
      check(answers.right + answers.wrong == std::accumulate(sums.begin(), sums.end(), 0.0),
            "every answer is right or wrong");
      raise_misses(codes.data(), n_leaves, n_classes, 1.0, rise.data());
      double wrong = 0.0;
      for (std::size_t i = 0; i < sums.size(); ++i) wrong += rise[i] * sums[i];
      check(wrong == answers.wrong, "wrong answers are those that rise");
    }
  }
}

void test_node_table() {
  NodeTable table(7, 3, 2);
  const double values[] = {1.0, 2.0, 3.0, 4.0};
  for (std::int32_t i = 0; i < 2; ++i) {
    const auto place = table.add(stump(i + 5), values);
    check(place && place->first_node == std::size_t(3 * i) && place->first_word == std::size_t(i),
          "trees lie side by side");
  }
  check(!table.add(stump(0), values), "a full table takes no more");
  check(table.feature[3] == 6 && table.category_words[1] == 6, "a tree stays as it was");
  const std::vector<double> expected{0, 0, 1, 2, 3, 4, 0, 0, 1, 2, 3, 4, 0, 0};
  check(table.value == expected, "leaves say their values, inner nodes nothing");
}

}  // namespace frugalboost::testing
