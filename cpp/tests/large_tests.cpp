// What large tables ask for, on small ones: tiles of bytes, tiles for two classes, and nodes whose
// rows are moved past the caches.
#include "core/columns/row_tiles.hpp"
#include "core/rows/growing_weights.hpp"
#include "core/rows/heavy_rows.hpp"
#include "core/rows/residuals.hpp"
#include "tests/check.hpp"
#include "tests/growing.hpp"

namespace frugalboost::testing {
namespace {

struct Kind {
  Layout layout;
  int n_outputs;
  Criterion criterion;
};

constexpr Kind with_tiles[] = {{Layout::classes, 2, Criterion::error},
                               {Layout::real, 1, Criterion::variance},
                               {Layout::real, 3, Criterion::variance},
                               {Layout::real, 13, Criterion::variance}};  // few columns only

bool has_bytes(const Table& table) {
  const std::vector<RowTile>& tiles = table.columns.row_tiles(1).tiles();
  return std::any_of(tiles.begin(), tiles.end(), [](const RowTile& t) { return t.has_bytes; });
}

// The tree of each search that looks at every row, on one thread and on several, beside that of a
// search that reads no tiles.
void threads_agree(const Table& table, const Problem& problem, GrowOptions options) {
  options.search.kind = SearchKind::adaptive;
  options.search.n_threads = 1;
  const Grown pruned = grow(table, problem, options);
  options.search.kind = SearchKind::exhaustive;
  for (int n_threads : {1, 2, 4}) {
    options.search.n_threads = n_threads;
    Grower in_order(table.columns, options);
    check(same_tree(pruned, grow(in_order, problem, nullptr, all_features(table))),
          "large tables give the tree of a pruning search");
    check(same_tree(pruned, grow(table, problem, options)), "in any order of the rows");
  }
}

// Codes are those of the columns, whoever wrote them.
void tiles_hold_codes(const Table& table) {
  const RowTiles one(table.columns, 1), four(table.columns, 4);
  bool right = one.tiles().size() == four.tiles().size();
  for (std::size_t t = 0; right && t < one.tiles().size(); ++t) {
    const RowTile &tile = one.tiles()[t], &other = four.tiles()[t];
    right &= tile.has_bytes == other.has_bytes && tile.width == tile.features.size();
    for (std::size_t row = 0; row < table.columns.n_rows; ++row)
      for (std::size_t j = 0; j < tile.width; ++j) {
        const int code = table.columns.columns[tile.features[j]].code_of(static_cast<Row>(row));
        const std::size_t at = row * tile.width + j;
        for (const RowTile* either : {&tile, &other})
          right &= either->has_bytes
                       ? either->bytes[at] == code && either->first_code[j] == 256 * j
                       : either->codes[at] == code + static_cast<int>(either->first_code[j]);
      }
  }
  check(right, "tiles hold the codes of the columns");
}

// Deep trees: nodes with many of the rows are read by columns, others by rows. One column, a tile,
// more than a tile.
void test_byte_tiles(Random& random) {
  int n_bytes = 0, n_tables = 0;
  for (bool has_missing : {false, true})
    for (int n_features : {1, 5, 32, 37}) {
      const std::size_t n_rows = draw(random, 300, 900);
      const Table table(random, n_rows, n_features,
                        ByteCodes{draw(random, 0, 1) ? 200 : 240, has_missing});
      ++n_tables;
      n_bytes += has_bytes(table);
      tiles_hold_codes(table);
      for (const Kind& kind : with_tiles) {
        if (kind.n_outputs > 3 && n_features > 5) continue;
        const Weights weights(random, kind.layout, kind.n_outputs, n_rows);
        GrowOptions options;
        options.criterion = kind.criterion;
        options.max_depth = draw(random, 4, 7);
        options.max_leaf_nodes = draw(random, 0, 1) ? 0 : draw(random, 5, 30);
        options.search.tiles_from = 0;
        if (kind.layout == Layout::real)
          options.search.min_samples_leaf = draw(random, 0, 1) ? 1 : draw(random, 2, 20);
        threads_agree(table, weights.problem, options);
      }
    }
  check(2 * n_bytes >= n_tables, "many codes make tiles of bytes");
}

// Rows enough for several threads to divide them.
void test_large_nodes(Random& random) {
  const Kind kinds[] = {
      {Layout::classes, 2, Criterion::error}, {Layout::classes, 2, Criterion::gini},
      {Layout::classes, 3, Criterion::error}, {Layout::votes, 2, Criterion::z},
      {Layout::real, 1, Criterion::variance}, {Layout::real, 3, Criterion::variance}};
  const std::size_t n_rows = draw(random, 9'000, 12'000);
  const Table mixed(random, n_rows, 6);
  const Table bytes(random, n_rows, 6, ByteCodes{240, true});
  check(has_bytes(bytes), "the table has tiles of bytes");
  for (const Table* table : {&mixed, &bytes})
    for (const Kind& kind : kinds) {
      const Weights weights(random, kind.layout, kind.n_outputs, n_rows);
      GrowOptions options;
      options.criterion = kind.criterion;
      options.max_depth = 3;
      options.search.tiles_from = 0;
      options.search.large_node = draw(random, 0, 1);
      threads_agree(*table, weights.problem, options);
    }
}

// Rounds of searches that remember, on weights that change: the root from its changes, and the
// heavy rows first.
void test_rounds_of_tiles(Random& random) {
  for (bool has_missing : {false, true}) {
    const std::size_t n_rows = 20'000;
    const Table table(random, n_rows, 7, ByteCodes{240, has_missing});
    const std::vector<std::uint32_t> features = all_features(table);
    std::vector<Row> labels(n_rows);
    for (Row& label : labels) label = draw(random, 0, 1);
    GrowingWeights weights(labels.data(), nullptr, n_rows, 2);
    GrowOptions options;
    options.max_depth = 5;
    options.search.tiles_from = 0;
    options.search.large_node = 1;
    GrowOptions shared = options;
    shared.search.n_threads = 4;
    GrowOptions incremental = shared, two_stage = shared;
    incremental.search.kind = SearchKind::incremental;
    two_stage.search.kind = SearchKind::two_stage;
    Grower one(table.columns, options), four(table.columns, shared);
    Grower remembering(table.columns, incremental), by_weight(table.columns, two_stage);
    HeavyRows heavy;
    for (int round = 0; round < 4; ++round) {
      const Grown built = grow(one, weights.problem(), nullptr, features);
      check(same_tree(built, grow(four, weights.problem(), nullptr, features)),
            "threads do not change the trees of rounds");
      check(same_tree(built, grow(remembering, weights.problem(), nullptr, features)),
            "nor does a root that is remembered");
      heavy.update(weights, 4);
      Problem problem = weights.problem();
      problem.n_heavy = heavy.n_heavy();
      problem.heavy_version = heavy.version();
      std::vector<Row> rows;
      if (heavy.rows() != nullptr) rows.assign(heavy.rows(), heavy.rows() + n_rows);
      check(same_tree(built, grow(by_weight, problem, rows.empty() ? nullptr : &rows, features)),
            "nor do two stages");
      std::vector<double> rise(2 * built.tree.n_nodes());
      for (double& r : rise) r = draw(random, 0, 2) == 0 ? draw(random, 1, 40) / 4.0 : 0.0;
      weights.advance(rise.data(), built.tree.n_nodes(), built.nodes.data(), 4);
    }
  }
}

// Residuals whose next root comes from the leaves of the last tree, cells of bytes among them.
void test_leaves_of_tiles(Random& random) {
  const std::size_t n_rows = 20'000;
  const Table table(random, n_rows, 3, ByteCodes{240, true});
  std::vector<double> targets(n_rows);
  for (double& target : targets) target = draw(random, 0, 1000) / 8.0;
  Residuals residuals(targets.data(), n_rows, targets[0]);
  GrowOptions options;
  options.criterion = Criterion::variance;
  options.max_depth = 6;
  options.max_leaf_nodes = 8;
  options.search.large_node = 0;
  Grower fresh(table.columns, options);
  options.search.kind = SearchKind::incremental;
  options.search.n_threads = 4;
  Grower following(table.columns, options);
  int n_followed = 0;
  for (int round = 0; round < 8; ++round) {
    const Grown built = grow(fresh, residuals.problem(), nullptr, all_features(table));
    const Grown followed = grow(following, residuals.problem(), nullptr, all_features(table));
    check(same_tree(built, followed), "a root from leaves gives the same tree");
    n_followed += followed.tree.work.reads < built.tree.work.reads;
    std::vector<double> values(built.tree.n_nodes());
    for (double& value : values) value = draw(random, -100, 100) / 7.0;
    residuals.advance(values.data(), built.tree.n_samples.data(), values.size(), built.nodes.data(),
                      4);
    following.follow(residuals.problem(), residuals.steps());
  }
  check(n_followed > 0, "roots do come from leaves");
}

}  // namespace

void test_large_tables(Random& random) {
  test_byte_tiles(random);
  test_large_nodes(random);
  test_rounds_of_tiles(random);
  test_leaves_of_tiles(random);
}

}  // namespace frugalboost::testing
