// Want of memory, at every allocation that an operation makes: it comes out as std::bad_alloc,
// nothing is left behind, and whoever starts afresh has the right result.
#include <algorithm>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "core/binning/binning.hpp"
#include "core/binning/encoding.hpp"
#include "core/columns/row_blocks.hpp"
#include "core/columns/row_tiles.hpp"
#include "core/explain/shap.hpp"
#include "core/predict/forest.hpp"
#include "core/predict/predict.hpp"
#include "core/rows/growing_weights.hpp"
#include "core/rows/heavy_rows.hpp"
#include "core/rows/logit_targets.hpp"
#include "core/rows/residuals.hpp"
#include "tests/check.hpp"
#include "tests/growing.hpp"
#include "tests/scarce_memory.hpp"

namespace frugalboost::testing {

std::vector<FlatNode> random_tree(Random& random, int n_features);  // forest_tests.cpp
void test_trees_without_memory(Random& random);                     // memory_tree_tests.cpp

namespace {

// Leaves of rows, in turn.
std::vector<std::int32_t> nodes_in_turn(std::size_t n, int n_nodes) {
  std::vector<std::int32_t> nodes(n);
  for (std::size_t i = 0; i < n; ++i) nodes[i] = static_cast<std::int32_t>(i * 7 % n_nodes);
  return nodes;
}

// Weights that were raised, and their order.
void test_weights(Random& random, std::size_t n, int n_threads) {
  std::vector<Row> labels(n);
  for (Row& label : labels) label = draw(random, 0, 2);
  const std::vector<std::int32_t> nodes = nodes_in_turn(n, 5);
  const std::vector<double> rise = some_rises(15), all_rise(15, 0.25);
  const auto make = [&] {
    GrowingWeights weights(labels.data(), nullptr, n, 3, n_threads);
    weights.advance(rise.data(), 5, nodes.data(), n_threads);
    return weights;
  };
  survives("weights after want of memory", 1000, [&] {
    GrowingWeights weights = make();
    weights.advance(all_rise.data(), 5, nodes.data(), n_threads);
    return std::make_pair(weights.fixed(), weights.total());
  });
  const std::vector<double> steep{9.0, 9.0, 9.0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  GrowingWeights weights(labels.data(), nullptr, n, 3);
  weights.advance(steep.data(), 5, nodes.data());
  const auto rows_of = [&](const HeavyRows& heavy) {
    return std::vector<Row>(heavy.rows(), heavy.rows() + (heavy.rows() == nullptr ? 0 : n));
  };
  survives("heavy rows after want of memory", 1000, [&] {
    HeavyRows heavy;
    heavy.update(weights, n_threads);
    heavy.update(weights, n_threads);
    return rows_of(heavy);
  });
  HeavyRows fresh;
  fresh.update(weights);
  bool is_right = fresh.rows() != nullptr, is_felt = true;
  for (std::size_t number = 1; is_felt; ++number) {
    HeavyRows heavy;
    {
      const Shortage shortage(number, false);
      try {
        heavy.update(weights, n_threads);
      } catch (const std::bad_alloc&) {
      }
      is_felt = shortage.is_felt();
    }
    heavy.update(weights, n_threads);
    is_right &= rows_of(heavy) == rows_of(fresh) && heavy.n_heavy() == fresh.n_heavy();
  }
  check(is_right, "heavy rows are chosen again after want of memory");
}

void test_targets(Random& random, std::size_t n, int n_threads) {
  std::vector<double> targets(n);
  for (double& target : targets) target = draw(random, 0, 1000) / 8.0;
  const std::vector<std::int32_t> nodes = nodes_in_turn(n, 5);
  std::vector<std::int64_t> n_samples(5, 0);
  for (std::int32_t node : nodes) ++n_samples[node];
  const std::vector<double> values{1.0, -2.0, 0.0, 30.0, 4.0}, huge(5, 1e12);
  survives("residuals after want of memory", 1000, [&] {
    Residuals residuals(targets.data(), n, 60.0);
    residuals.advance(values.data(), n_samples.data(), 5, nodes.data(), n_threads);
    const auto before = residuals.packed();
    residuals.advance(huge.data(), n_samples.data(), 5, nodes.data(), n_threads);
    return std::make_pair(before, residuals.packed());
  });
  std::vector<Row> labels(n);
  for (Row& label : labels) label = draw(random, 0, 2);
  std::vector<std::uint8_t> bytes(n);
  for (std::size_t i = 0; i < n; ++i) bytes[i] = labels[i] > 0;
  const std::vector<double> said(15, 0.5);
  const auto packed_after = [&](LogitTargets& logit) {
    logit.advance(said.data(), 5, nodes.data());
    const Problem problem = logit.problem();
    return std::vector<Sum>(problem.weights, problem.weights + n * problem.n_channels());
  };
  survives("two classes' targets after want of memory", 1000, [&] {
    LogitTargets logit(bytes.data(), nullptr, n, {4.0, 0x1p-52}, n_threads);
    return packed_after(logit);
  });
  survives("many classes' targets after want of memory", 1000, [&] {
    LogitTargets logit(labels.data(), nullptr, n, 3, {4.0, 0x1p-52}, n_threads);
    return packed_after(logit);
  });
}

MatrixView view_of(const std::vector<double>& X, std::size_t n, std::size_t n_columns) {
  return {reinterpret_cast<const char*>(X.data()),
          n,
          n_columns,
          static_cast<std::ptrdiff_t>(n_columns * sizeof(double)),
          sizeof(double),
          Scalar::f64};
}

// Few values, many, and missing ones.
std::vector<double> some_numbers(Random& random, std::size_t n, std::size_t n_columns) {
  std::vector<double> X(n * n_columns);
  for (std::size_t i = 0; i < X.size(); ++i) {
    X[i] = draw(random, -12, i % n_columns == 0 ? 12 : 1 << 20) / 3.0;
    if (i % n_columns == 1 && draw(random, 0, 5) == 0)
      X[i] = std::numeric_limits<double>::quiet_NaN();
  }
  return X;
}

// Cuts, and the codes that they give, dense and sparse.
void test_bins(Random& random, std::size_t n, int n_threads) {
  constexpr std::size_t n_columns = 3;
  const std::vector<double> X = some_numbers(random, n, n_columns);
  const std::vector<MatrixView> parts{view_of(X, n, n_columns)};
  survives("codes after want of memory", thorough(n_threads), [&] {
    std::vector<double> cuts;
    std::vector<std::int64_t> offsets{0};
    std::vector<std::vector<std::uint16_t>> codes(n_columns);
    std::vector<std::vector<Row>> rows(n_columns);
    std::vector<CodeTarget> targets;
    const std::vector<ColumnBins> bins = find_bins(parts, 40, n_threads);
    for (std::size_t c = 0; c < n_columns; ++c) {
      cuts.insert(cuts.end(), bins[c].thresholds.begin(), bins[c].thresholds.end());
      offsets.push_back(static_cast<std::int64_t>(cuts.size()));
      const bool is_sparse = c == 0;
      codes[c].resize(is_sparse ? bins[c].n_others : n);
      rows[c].resize(is_sparse ? bins[c].n_others : 0);
      targets.push_back({is_sparse ? Storage::sparse : Storage::dense16, codes[c].data(),
                         rows[c].data(), rows[c].size(), bins[c].most_frequent});
    }
    encode(parts, {cuts.data(), offsets.data()}, targets, n_threads);
    return std::make_pair(std::move(codes), std::move(cuts));
  });
}

void test_columns(Random& random, std::size_t n, int n_threads) {
  const Table mixed(random, n, 8), bytes(random, n, 3, ByteCodes{240, false});
  survives("row blocks after want of memory", thorough(n_threads), [&] {
    Columns columns;
    copy_columns(mixed, columns);
    const RowBlocks blocks(columns, n_threads);
    std::vector<std::uint16_t> entries;
    for (const RowBlock& block : blocks.blocks())
      entries.insert(entries.end(), block.entries.begin(), block.entries.end());
    return entries;
  });
  for (const Table* table : {&mixed, &bytes})
    survives("tiles after want of memory", thorough(n_threads), [&] {
      Columns columns;
      copy_columns(*table, columns);
      columns.row_blocks(n_threads);
      std::size_t sum = 0;
      for (const RowTile& tile : columns.row_tiles(n_threads).tiles())
        for (std::size_t i = 0; i < n * tile.width; ++i)
          sum += (i + 1) * (tile.has_bytes ? tile.bytes[i] : tile.codes[i]);
      return sum;
    });
}

// Walks, masks and stumps; and what each feature adds.
void test_predictions(Random& random, std::size_t n, int n_threads) {
  constexpr int n_features = 3;
  std::vector<double> X = some_numbers(random, n, n_features);
  const MatrixView view = view_of(X, n, n_features);
  std::vector<FlatNode> nodes;
  std::vector<std::int64_t> roots{0};
  for (int tree = 0; tree < 4; ++tree) {
    for (FlatNode node : random_tree(random, n_features)) {
      if (node.feature >= 0) node.left += roots.back(), node.right += roots.back();
      nodes.push_back(node);
    }
    roots.push_back(static_cast<std::int64_t>(nodes.size()));
  }
  std::vector<double> values(nodes.size()), rows_of_node(nodes.size(), 3.0);
  for (double& value : values) value = draw(random, -99, 99) / 7.0;
  survives("predictions after want of memory", thorough(n_threads), [&] {
    const Forest forest(nodes, roots, {}, values, 1, n_features);
    std::vector<double> decision(n, 0.5), others(n, 0.0);
    std::vector<std::int32_t> leaves(n * forest.n_trees());
    std::vector<std::int32_t> first(n);
    for (std::size_t i = 0; i < n; ++i) first[i] = static_cast<std::int32_t>(i % 5);
    add_trees(forest, view, 0, forest.n_trees(), n_threads, no_poll, decision.data());
    add_trees_from(forest, view, first.data(), n_threads, no_poll, others.data());
    find_leaves(forest, view, 0, forest.n_trees(), n_threads, no_poll, leaves.data());
    decision.insert(decision.end(), others.begin(), others.end());
    return std::make_pair(std::move(decision), std::move(leaves));
  });
  survives("what features add after want of memory", thorough(n_threads), [&] {
    const Forest forest(nodes, roots, {}, values, 1, n_features);
    const ShapForest shap(forest, rows_of_node);
    std::vector<double> found(n * n_features, 0.0);
    shap.add(view, n_threads, no_poll, found.data());
    return found;
  });
}

}  // namespace

void test_want_of_memory(Random& random) {
  test_trees_without_memory(random);
  for (int n_threads : {1, 4}) {
    const bool is_small = n_threads == 1;
    test_weights(random, is_small ? 200 : 20'000, n_threads);
    test_targets(random, is_small ? 200 : 20'000, n_threads);
    test_bins(random, is_small ? 300 : 9'000, n_threads);
    test_columns(random, is_small ? 100 : 9'000, n_threads);
    test_predictions(random, is_small ? 100 : 700, n_threads);
  }
}

}  // namespace frugalboost::testing
