// Trees of C4.5: what holds for every table, and tables that are hardly any. The trees themselves
// are compared with those of the reference in Python.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/c45/arrays.hpp"
#include "tests/check.hpp"
#include "tests/random_table.hpp"

namespace frugalboost::testing {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

struct Random45 {
  Random45(Random& random, std::size_t n, std::size_t n_features, std::size_t n_classes)
      : codes(n * n_features), labels(n), values(8) {
    std::iota(values.begin(), values.end(), 0.0);
    table.n_rows = n;
    table.n_classes = n_classes;
    for (std::int32_t& code : codes) code = draw(random, -1, 7);
    for (std::int32_t& label : labels) label = draw(random, 0, static_cast<int>(n_classes) - 1);
    for (std::size_t f = 0; f < n_features; ++f) {
      table.columns.push_back({codes.data() + f * n, values.data(), 8, draw(random, 0, 1) == 1});
    }
    table.labels = labels.data();
    for (std::size_t i = 0; i < n; ++i) {
      if (const int weight = draw(random, 0, 3)) cases.add(static_cast<Row>(i), weight);
    }
  }

  std::vector<double> matrix() const {
    std::vector<double> X;
    for (std::size_t i = 0; i < table.n_rows; ++i) {
      for (const c45::Column& column : table.columns) {
        X.push_back(column.codes[i] < 0 ? missing : column.codes[i]);
      }
    }
    return X;
  }

  std::vector<std::int32_t> codes, labels;
  std::vector<double> values;
  c45::Table table;
  c45::Cases cases;
};

void check_tree(const Random45& given, const c45::Options& options) {
  const Poll poll = [] {};
  c45::Tree tree = c45::grow(given.table, given.cases, options, poll);
  if (options.prunes) c45::prune(given.table, given.cases, options, poll, tree);
  const c45::Arrays arrays = c45::to_arrays(given.table, tree);
  const std::size_t n_nodes = arrays.feature.size(), n_classes = given.table.n_classes;
  double in_leaves = 0.0;
  for (std::size_t i = 0; i < n_nodes; ++i) {
    const bool is_leaf = arrays.child_offset[i] == arrays.child_offset[i + 1];
    check(is_leaf == (arrays.feature[i] < 0), "a node without branches is a leaf");
    if (is_leaf) in_leaves += c45::add_up(&arrays.by_class[i * n_classes], n_classes);
  }
  const double weight = c45::add_up(given.cases.weights);
  check(std::abs(in_leaves - weight) <= 1e-9 * (1 + weight), "no case is lost");
  const c45::View view{arrays.feature.data(),
                       arrays.threshold.data(),
                       arrays.label.data(),
                       arrays.by_class.data(),
                       arrays.child_offset.data(),
                       arrays.children.data(),
                       n_nodes,
                       n_classes};
  const std::vector<double> X = given.matrix();
  std::vector<double> shares(given.table.n_rows * n_classes);
  c45::add_shares(view, X.data(), given.table.n_rows, given.table.columns.size(), poll,
                  shares.data());
  for (std::size_t i = 0; i < given.table.n_rows; ++i) {
    const double sum = c45::add_up(&shares[i * n_classes], n_classes);
    check(std::abs(sum - 1.0) <= 1e-9, "the shares of the classes add up to one");
  }
}

// A column in which each test cuts off two rows, another with its values in reverse, and two
// classes that take turns: the tree is a path.
struct Path45 {
  Path45(std::size_t n, double weight_ratio) : n(n), codes(2 * n), labels(n), values(n / 2) {
    std::iota(values.begin(), values.end(), 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      codes[i] = static_cast<std::int32_t>(i / 2);
      codes[n + i] = static_cast<std::int32_t>(n / 2 - 1 - i / 2);
      labels[i] = codes[i] % 2;
      cases.add(static_cast<Row>(i), std::pow(weight_ratio, static_cast<double>(n - i)));
    }
  }

  c45::Table table() const {
    c45::Table table;
    table.n_rows = n;
    table.n_classes = 2;
    table.labels = labels.data();
    const auto n_values = static_cast<std::int32_t>(values.size());
    for (std::size_t f = 0; f < 2; ++f) {
      table.columns.push_back({codes.data() + f * n, values.data(), n_values, false});
    }
    return table;
  }

  std::size_t n;
  std::vector<std::int32_t> codes, labels;
  std::vector<double> values;
  c45::Cases cases;
};

// Pruning asks at each node what the rest of the path would make of all of its cases. Nearly all of
// them stay as they are; or if values are missing, all weights change, but a few leaves suffice.
void check_path_is_pruned_soon(Random& random, bool has_missing, std::size_t most_polls) {
  Path45 given(1000, 1.02);
  for (std::int32_t& code : given.codes) {
    if (has_missing && draw(random, 0, 49) == 0) code = c45::unknown;
  }
  const c45::Table table = given.table();
  c45::Options options;
  options.min_cases = 1.0;
  c45::Tree tree = c45::grow(table, given.cases, options, [] {});
  check(tree.size() > 800, "the path is long");
  const std::size_t n_grown = tree.size();
  std::size_t n_polls = 0;
  c45::prune(table, given.cases, options, [&] { ++n_polls; }, tree);
  check(n_polls >= n_grown, "pruning can be interrupted at every node");
  check(n_polls < most_polls * n_grown, "a long path is gone down a few times");
}

// A node of many columns, which cannot be split.
void check_one_node_is_interrupted() {
  const std::size_t n = 20000, n_features = 40;
  std::vector<std::int32_t> codes(n), labels(n);
  for (std::size_t i = 0; i < n; ++i) labels[i] = i % 2 == 0;
  const std::vector<double> values{0.0};
  c45::Table table;
  table.n_rows = n;
  table.n_classes = 2;
  table.labels = labels.data();
  c45::Cases cases;
  for (std::size_t i = 0; i < n; ++i) cases.add(static_cast<Row>(i), 1.0);
  table.columns.assign(n_features, {codes.data(), values.data(), 1, false});
  std::size_t n_polls = 0;
  const c45::Tree tree = c45::grow(table, cases, {}, [&] { ++n_polls; });
  check(tree.size() == 1, "all values are the same");
  check(n_polls >= 3, "a search can be interrupted between columns");
}

// Each branch has two cases of its own and shares of a thousand others.
void check_branches_one_at_a_time() {
  const std::size_t n = 2000;
  std::vector<std::int32_t> codes(n), labels(n);
  for (std::size_t i = 0; i < n; ++i) {
    codes[i] = i % 2 ? static_cast<std::int32_t>(i / 4) : c45::unknown;
    labels[i] = i % 3 == 0;
  }
  c45::Table table;
  table.n_rows = n;
  table.n_classes = 2;
  table.labels = labels.data();
  table.columns.push_back({codes.data(), nullptr, static_cast<std::int32_t>(n / 4), true});
  c45::Cases cases;
  for (std::size_t i = 0; i < n; ++i) cases.add(static_cast<Row>(i), 1.0);
  const c45::Split split{0, -1, 0.0, 0.0};
  c45::Division division(table, split, cases);
  double total = 0.0;
  for (std::size_t b = 0; b < division.n_branches(); ++b) {
    check(!division.is_over() && division.weights()[b] == 2.0, "two cases are known");
    const c45::Cases part = division.next();
    check(part.size() == 2 + n / 2, "others are in every branch");
    check(std::is_sorted(part.rows.begin(), part.rows.end()), "rows ascend");
    total += c45::add_up(part.weights);
  }
  check(division.is_over() && std::abs(total - n) < 1e-6, "shares add up to the cases");
  std::size_t n_polls = 0;
  c45::grow(table, cases, {}, [&] { ++n_polls; });
  check(n_polls >= n / 4, "growing can be interrupted at every branch");
}

// Every node of a path keeps a branch that waits: with room for all cases, a path of many tests
// would take as many tables.
void check_waiting_branches_take_no_spare_room() {
  const std::size_t n = 1000;
  std::vector<std::int32_t> codes(n, 1), labels(n);
  codes[0] = 0;
  const std::vector<double> values{0.0, 1.0};
  c45::Table table{n, 2, {{codes.data(), values.data(), 2, false}}, labels.data()};
  c45::Cases cases;
  for (std::size_t i = 0; i < n; ++i) cases.add(static_cast<Row>(i), 1.0);
  c45::Split split;
  split.feature = split.cut = 0;
  c45::Division division(table, split, cases);
  for (std::size_t size : {std::size_t{1}, n - 1}) {
    const c45::Cases part = division.next();
    check(part.size() == size, "all cases of a branch");
    check(part.rows.capacity() <= 2 * size, "rows with little room to spare");
    check(part.weights.capacity() <= 2 * size, "weights with little room to spare");
  }
}

// Rows of unknown value that go to all of many leaves.
void check_shares_are_interrupted() {
  const std::size_t n_leaves = 10000, n_rows = 100;
  std::vector<std::int32_t> feature(n_leaves + 1, -1), label(n_leaves + 1), children(n_leaves);
  const std::vector<double> threshold(n_leaves + 1, missing), X(n_rows, missing);
  std::vector<double> by_class(n_leaves + 1, 1.0), shares(n_rows);
  std::vector<std::int64_t> offset(n_leaves + 2, static_cast<std::int64_t>(n_leaves));
  feature[0] = 0;
  by_class[0] = static_cast<double>(n_leaves);
  offset[0] = 0;
  std::iota(children.begin(), children.end(), 1);
  const c45::View view{feature.data(), threshold.data(), label.data(), by_class.data(),
                       offset.data(),  children.data(),  n_leaves + 1, 1};
  std::size_t n_polls = 0;
  c45::add_shares(view, X.data(), n_rows, 1, [&] { ++n_polls; }, shares.data());
  check(n_polls >= 3, "a prediction can be interrupted between leaves");
}

}  // namespace

void test_c45(Random& random) {
  check_path_is_pruned_soon(random, false, 4);
  check_path_is_pruned_soon(random, true, 40);
  check_one_node_is_interrupted();
  check_branches_one_at_a_time();
  check_waiting_branches_take_no_spare_room();
  check_shares_are_interrupted();
  for (int repeat = 0; repeat < 200; ++repeat) {
    const std::size_t n = draw(random, 0, 3) ? draw(random, 0, 60) : draw(random, 0, 3);
    const Random45 given(random, n, draw(random, 0, 4), draw(random, 1, 5));
    c45::Options options;
    options.min_cases = draw(random, 1, 3);
    options.confidence = draw(random, 1, 50) / 100.0;
    options.prunes = draw(random, 0, 3) != 0;
    check_tree(given, options);
  }
}

}  // namespace frugalboost::testing
