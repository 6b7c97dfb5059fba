// Trees grown on some of the rows: the others go down them, and leaves have the sums of all.
#include "core/rows/order.hpp"
#include "tests/check.hpp"
#include "tests/growing.hpp"

namespace frugalboost::testing {
namespace {

bool goes_left(const Table& table, const GrownTree& tree, int id, Row row) {
  const Column& column = table.columns.columns[tree.feature[id]];
  const int code = column.code_of(row);
  if (column.has_missing && code == column.missing_code()) return tree.missing_left[id];
  if (!column.is_categorical) return code <= tree.bin[id];
  const std::uint64_t* words = tree.category_words.data() + tree.category_start[id];
  return words[code / 64] >> (code % 64) & 1;
}

int leaf_of(const Table& table, const GrownTree& tree, Row row) {
  int id = 0;
  while (tree.feature[id] >= 0)
    id = goes_left(table, tree, id, row) ? tree.left[id] : tree.right[id];
  return id;
}

// Sums by node and channel, leaf by leaf, spelled out.
std::vector<Sum> sums_by_hand(const Weights& weights, const Grown& grown) {
  const Problem& problem = weights.problem;
  const std::size_t n = problem.n_channels();
  std::vector<Sum> sums(grown.tree.n_nodes() * n, 0);
  for (std::size_t row = 0; row < problem.n_rows; ++row) {
    Sum* cell = sums.data() + grown.nodes[row] * n;
    if (problem.layout == Layout::classes) {
      cell[weights.labels[row]] += weights.weights[row];
    } else {
      for (std::size_t i = 0; i < n; ++i) cell[i] += weights.weights[row * n + i];
    }
  }
  return sums;
}

void rest_is_routed(Random& random, Layout layout, Criterion criterion) {
  const std::size_t n_rows = draw(random, 2, 300);
  const Table table(random, n_rows, draw(random, 1, 6));
  const int n_outputs = layout == Layout::real ? draw(random, 1, 3) : draw(random, 2, 4);
  const Weights weights(random, layout, n_outputs, n_rows);
  std::vector<Row> rows;
  for (std::size_t row = 0; row + 1 < n_rows; ++row)
    if (draw(random, 0, 2) > 0) rows.push_back(static_cast<Row>(row));
  if (rows.empty()) rows.push_back(0);
  GrowOptions options;
  options.criterion = criterion;
  options.max_depth = draw(random, 1, 5);
  options.search.n_threads = draw(random, 0, 1) ? 4 : draw(random, 1, 2);
  for (SearchKind kind : {SearchKind::exhaustive, SearchKind::incremental}) {
    options.search.kind = kind;
    Grower grower(table.columns, options);
    Grown grown;
    grown.tree =
        grower.grow(weights.problem, rows.data(), rows.size(), all_features(table), no_poll);
    grown.nodes = grower.node_of_row();
    bool right = true;
    for (std::size_t row = 0; row < n_rows; ++row)
      right &= grown.nodes[row] == leaf_of(table, grown.tree, static_cast<Row>(row));
    check(right, "every row is in the leaf that the tree sends it to");
    if (layout == Layout::classes)
      check(grown.tree.sums_of_all == sums_by_hand(weights, grown), "leaves have all rows' sums");
  }
}

void heaviest_are_found(Random& random) {
  const std::size_t n = draw(random, 1, 200);
  std::vector<Sum> mass(n);
  for (Sum& m : mass) m = draw(random, 0, 3) ? draw(random, 1, 9) : Sum{1} << draw(random, 0, 50);
  const double share = draw(random, 1, 100) / 100.0;
  const std::vector<Row> found = heaviest_rows(mass.data(), nullptr, n, share);
  std::vector<Row> sorted(n);
  std::iota(sorted.begin(), sorted.end(), Row{0});
  std::stable_sort(sorted.begin(), sorted.end(), [&](Row a, Row b) { return mass[a] > mass[b]; });
  const Sum total = std::accumulate(mass.begin(), mass.end(), Sum{0});
  Sum seen = 0;
  std::size_t enough = 0;
  while (enough < n && static_cast<double>(seen) < share * static_cast<double>(total))
    seen += mass[sorted[enough++]];
  sorted.resize(enough);
  std::sort(sorted.begin(), sorted.end());
  check(found == sorted, "the heaviest rows, the first of equal ones, and no more than needed");
}

}  // namespace

void test_subsets(Random& random) {
  for (int repeat = 0; repeat < 60; ++repeat) {
    rest_is_routed(random, Layout::classes, Criterion::error);
    rest_is_routed(random, Layout::classes, Criterion::gini);
    rest_is_routed(random, Layout::votes, Criterion::z);
    rest_is_routed(random, Layout::real, Criterion::variance);
    heaviest_are_found(random);
  }
}

}  // namespace frugalboost::testing
