// Rows of a tile with fewer entries than others are filled up with one that nobody reads. Its cell
// sums some rows several times, which may leave the range of numbers.
#include "core/columns/row_tiles.hpp"
#include "core/rows/logit_targets.hpp"
#include "tests/check.hpp"
#include "tests/growing.hpp"

namespace frugalboost::testing {
namespace {

// Sixteen columns, of which every row has twelve set and the last one all: four entries of a row
// are filled up.
struct PaddedTable {
  std::vector<std::vector<std::uint8_t>> codes;
  Columns columns;

  PaddedTable(Random& random, std::size_t n_rows) : codes(16, std::vector<std::uint8_t>(n_rows)) {
    columns.n_rows = n_rows;
    for (std::size_t row = 0; row < n_rows; ++row) {
      const auto first = static_cast<std::size_t>(draw(random, 0, 15));
      for (std::size_t j = 0; j < (row + 1 < n_rows ? 12 : 16); ++j)
        codes[(first + j) % 16][row] = static_cast<std::uint8_t>(draw(random, 1, 6));
    }
    for (const auto& of_column : codes) {
      Column column;
      column.n_bins = 7;
      column.codes8 = of_column.data();
      columns.columns.push_back(column);
    }
  }
};

}  // namespace

void test_padding(Random& random) {
  constexpr std::size_t n = 3000;
  const PaddedTable table(random, n);
  check(table.columns.row_tiles(1).tiles().size() == 1 &&
            table.columns.row_tiles(1).tiles()[0].width == 16,
        "a tile has entries that nobody reads");
  std::vector<std::uint32_t> features(16);
  std::iota(features.begin(), features.end(), 0u);
  // Nearly all rows pull the same way.
  std::vector<std::uint8_t> two(n);
  std::vector<Row> many(n);
  for (std::size_t i = 0; i < n; ++i) two[i] = many[i] = draw(random, 0, 19) > 0;
  const LogitLimits limits{4.0, 0x1p-52};
  const LogitTargets single(two.data(), nullptr, n, limits, 1);
  const LogitTargets wide(many.data(), nullptr, n, 13, limits, 1);
  for (const LogitTargets* targets : {&single, &wide}) {
    const Problem problem = targets->problem();
    GrowOptions options;
    options.criterion = Criterion::variance;
    options.max_depth = 4;
    options.search.kind = SearchKind::adaptive;
    Grower pruning(table.columns, options);
    const std::vector<Row> rows = heaviest_first(problem);
    const Grown expected = grow(pruning, problem, &rows, features);
    options.search.kind = SearchKind::exhaustive;
    for (int n_threads : {1, 4}) {
      options.search.n_threads = n_threads;
      Grower grower(table.columns, options);
      check(same_tree(expected, grow(grower, problem, nullptr, features)),
            "entries that nobody reads do no harm");
    }
  }
}

}  // namespace frugalboost::testing
