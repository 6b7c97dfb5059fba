// Binning: cuts and codes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/binning/binning.hpp"
#include "core/binning/encoding.hpp"
#include "core/columns/code_checks.hpp"
#include "core/columns/row_blocks.hpp"
#include "core/columns/row_tiles.hpp"
#include "tests/check.hpp"
#include "tests/growing.hpp"
#include "tests/random_table.hpp"

namespace frugalboost::testing {

namespace {

// Columns that make trouble for whoever does not look at each value: frequent ones, missing and
// infinite ones, whole numbers in part of the rows, few values in a row that repeats.
std::vector<float> troubled_table(Random& random, std::size_t n_rows, std::size_t n_columns) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  std::normal_distribution<float> normal;
  std::vector<float> values(n_rows * n_columns);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float x = normal(random);
    const std::size_t row = i / n_columns;
    switch (i % n_columns) {
      case 0:
        values[i] = x;
        break;
      case 1:  // half of the rows are zero
        values[i] = x > 0 ? std::exp(5 * x) : 0.0f;
        break;
      case 2:
        values[i] = x > 1 ? nan : x < -2 ? -std::numeric_limits<float>::infinity() : x;
        break;
      case 3:
        values[i] = row < n_rows / 2 ? std::round(20 * x) : x;
        break;
      case 4:  // mostly one value, so that it is stored sparse
        values[i] = x > 2 ? 1.0f : x > 1.95f ? nan : 0.0f;
        break;
      case 5:
        values[i] = std::round(1e6f * x);
        break;
      default:  // dozens of frequent values among many
        values[i] = x > 0 ? std::round(4 * x) / 3 : x;
    }
  }
  return values;
}

ColumnBins bins_by_sorting(const std::vector<float>& values, std::size_t first, std::size_t step,
                           std::size_t max_bins) {
  std::vector<double> sorted;
  std::size_t n_missing = 0;
  for (std::size_t i = first; i < values.size(); i += step) {
    if (std::isnan(values[i])) {
      ++n_missing;
    } else {
      sorted.push_back(values[i]);
    }
  }
  std::sort(sorted.begin(), sorted.end());
  Distinct distinct;
  for (const double value : sorted) distinct.push(value, 1);
  return bins_of(distinct, n_missing, max_bins);
}

std::vector<std::uint16_t> codes_one_by_one(const std::vector<float>& values, std::size_t first,
                                            std::size_t step, const std::vector<double>& cuts) {
  std::vector<std::uint16_t> codes;
  for (std::size_t i = first; i < values.size(); i += step) {
    const auto below = std::lower_bound(cuts.begin(), cuts.end(), values[i]) - cuts.begin();
    codes.push_back(static_cast<std::uint16_t>(std::isnan(values[i]) ? cuts.size() + 1 : below));
  }
  return codes;
}

void test_divided_rows(Random& random) {
  constexpr std::size_t n_rows = 140'001, n_columns = 7;
  const std::vector<float> values = troubled_table(random, n_rows, n_columns);
  const std::vector<MatrixView> parts{{reinterpret_cast<const char*>(values.data()), n_rows,
                                       n_columns, n_columns * sizeof(float), sizeof(float),
                                       Scalar::f32}};
  for (const std::size_t max_bins : {3, 64, 256, 500})
    for (const int n_threads : {1, 4}) {
      const std::vector<ColumnBins> found = find_bins(parts, max_bins, n_threads);
      std::vector<double> cuts;
      std::vector<std::int64_t> offsets{0};
      std::vector<std::vector<std::uint16_t>> codes(n_columns), expected(n_columns);
      std::vector<std::vector<Row>> rows(n_columns);
      std::vector<CodeTarget> targets;
      for (std::size_t c = 0; c < n_columns; ++c) {
        const ColumnBins right = bins_by_sorting(values, c, n_columns, max_bins);
        check(found[c].thresholds == right.thresholds, "cuts are those of the sorted column");
        check(found[c].has_missing == right.has_missing &&
                  found[c].most_frequent == right.most_frequent &&
                  found[c].n_others == right.n_others,
              "codes are counted as those of the sorted column");
        cuts.insert(cuts.end(), right.thresholds.begin(), right.thresholds.end());
        offsets.push_back(static_cast<std::int64_t>(cuts.size()));
        expected[c] = codes_one_by_one(values, c, n_columns, right.thresholds);
        const bool is_sparse = c % 2 == 0;
        codes[c].resize(is_sparse ? right.n_others : n_rows);
        rows[c].resize(is_sparse ? right.n_others : 0);
        targets.push_back({is_sparse ? Storage::sparse : Storage::dense16, codes[c].data(),
                           rows[c].data(), rows[c].size(), right.most_frequent});
      }
      encode(parts, {cuts.data(), offsets.data()}, targets, n_threads);
      for (std::size_t c = 0; c < n_columns; ++c) {
        std::vector<std::uint16_t> all(n_rows, targets[c].default_code);
        for (std::size_t e = 0; e < rows[c].size(); ++e) all[rows[c][e]] = codes[c][e];
        check((rows[c].empty() ? codes[c] : all) == expected[c], "codes of divided rows");
        check(std::is_sorted(rows[c].begin(), rows[c].end()), "rows of sparse columns ascend");
      }
    }
}

struct Interrupt {};

// Whether work(n_threads, poll) ends with the interrupt of its `at`-th poll. The calling thread of
// several may have too little to do to poll.
template <class Work>
void check_interrupted(Work&& work, int at) {
  for (const int n_threads : {1, 4}) {
    int n_polls = 0;
    bool is_interrupted = false;
    const Poll poll = [&] {
      if (++n_polls == at) throw Interrupt();
    };
    try {
      work(n_threads, poll);
    } catch (const Interrupt&) {
      is_interrupted = true;
    }
    check(is_interrupted == (n_polls == at) && n_polls <= at, "an interrupt ends the work");
    check(is_interrupted || n_threads > 1, "long work polls");
  }
}

void test_interrupts(Random& random) {
  constexpr std::size_t n_rows = 140'001, n_columns = 7;
  const std::vector<float> values = troubled_table(random, n_rows, n_columns);
  const std::vector<MatrixView> parts{{reinterpret_cast<const char*>(values.data()), n_rows,
                                       n_columns, n_columns * sizeof(float), sizeof(float),
                                       Scalar::f32}};
  for (const int at : {1, 4})
    for (const std::size_t max_bins : {64, 1000})  // some are sorted
      check_interrupted(
          [&](int n_threads, const Poll& poll) { find_bins(parts, max_bins, n_threads, poll); },
          at);
  const std::vector<std::int64_t> indptr{0, n_rows, 2 * n_rows};
  const SparseView sparse{reinterpret_cast<const char*>(values.data()), indptr.data(), n_rows, 2,
                          Scalar::f32};
  std::vector<std::int32_t> rows(2 * n_rows);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::int32_t>(i % n_rows);
  const double cut = 0.0;
  const std::vector<std::int64_t> offsets{0, 1, 1, 1, 1, 1, 1, 1};
  std::vector<std::uint8_t> codes(n_rows * n_columns);
  std::vector<CodeTarget> targets;
  for (std::size_t c = 0; c < n_columns; ++c)
    targets.push_back({Storage::dense8, codes.data() + c * n_rows});
  for (const int at : {1, 2}) {
    check_interrupted(
        [&](int n_threads, const Poll& poll) { find_bins(sparse, 64, n_threads, poll); }, at);
    check_interrupted(
        [&](int n_threads, const Poll& poll) {
          encode(parts, {&cut, offsets.data()}, targets, n_threads, poll);
        },
        at);
    check_interrupted(
        [&](int n_threads, const Poll& poll) {
          encode(sparse, rows.data(), {&cut, offsets.data()}, targets, n_threads, poll);
        },
        at);
  }
}

void test_interrupted_row_blocks(Random& random) {
  Table table(random, 120'001, 12);
  const auto is_interrupted = [&](auto&& make) {
    try {
      make([] { throw Interrupt(); });
      return false;
    } catch (const Interrupt&) {
      return true;
    }
  };
  check(is_interrupted([&](const Poll& poll) { table.columns.row_blocks(1, poll); }),
        "to make row blocks can be interrupted");
  check(is_interrupted([&](const Poll& poll) { check_codes(table.columns, 1, poll); }),
        "to check codes can be interrupted");
  table.columns.row_blocks(2);  // the next one begins anew
  std::vector<std::uint8_t> codes(400'000);
  for (std::size_t row = 0; row < codes.size(); ++row) codes[row] = row % 64;
  Column column;
  column.n_bins = 64;
  column.codes8 = codes.data();
  Columns dense;
  dense.n_rows = codes.size();
  dense.columns.push_back(column);
  check(is_interrupted([&](const Poll& poll) { dense.row_tiles(1, poll); }),
        "to make row tiles can be interrupted");
  check(dense.row_tiles(2).tiles().size() == 1, "row tiles are made after an interrupt");
}

void test_divided_row_blocks(Random& random) {
  Table table(random, 9'001, 12);
  const RowBlocks one(table.columns, 1), four(table.columns, 4);
  check(one.blocks().size() == four.blocks().size() && one.read_share() == four.read_share(),
        "row blocks do not depend on threads");
  for (std::size_t b = 0; b < one.blocks().size(); ++b) {
    const RowBlock &block = one.blocks()[b], &other = four.blocks()[b];
    check(block.row_start == other.row_start && block.entries == other.entries,
          "entries of row blocks do not depend on threads");
    for (std::size_t i = 0; i < block.features.size(); ++i) {
      const Column& column = table.columns.columns[block.features[i]];
      bool right = true;
      for (Row row = 0; row < table.columns.n_rows; ++row)
        right &= other.code_of(row, i, column.n_codes()) == column.code_of(row);
      check(right, "row blocks hold the codes of the columns");
    }
  }
}

}  // namespace

void test_binning(Random& random) {
  test_divided_rows(random);
  test_divided_row_blocks(random);
  test_interrupts(random);
  test_interrupted_row_blocks(random);
  for (int repeat = 0; repeat < 100; ++repeat) {
    const std::size_t n = draw(random, 1, 200);
    std::vector<double> values(n);
    for (double& x : values) {
      const int kind = draw(random, 0, 9);
      x = kind == 0   ? std::numeric_limits<double>::quiet_NaN()
          : kind == 1 ? std::numeric_limits<double>::infinity()
          : kind == 2 ? -std::numeric_limits<double>::infinity()
                      : draw(random, -20, 20) / 4.0;
    }
    const std::size_t max_bins = draw(random, 2, 50);
    const std::vector<MatrixView> parts{{reinterpret_cast<const char*>(values.data()), n, 1,
                                         sizeof(double), sizeof(double), Scalar::f64}};
    const std::vector<ColumnBins> bins = find_bins(parts, max_bins, draw(random, 1, 4));
    const std::vector<double>& cuts = bins[0].thresholds;
    check(cuts.size() < max_bins, "no more bins than asked for");
    const std::int64_t offsets[] = {0, static_cast<std::int64_t>(cuts.size())};
    std::vector<std::uint16_t> codes(n);
    encode(parts, {cuts.data(), offsets}, {{Storage::dense16, codes.data()}}, 4);
    std::vector<Row> rows(bins[0].n_others);
    std::vector<std::uint16_t> others(bins[0].n_others), rebuilt(n, bins[0].most_frequent);
    encode(parts, {cuts.data(), offsets},
           {{Storage::sparse, others.data(), rows.data(), rows.size(), bins[0].most_frequent}}, 1);
    for (std::size_t e = 0; e < rows.size(); ++e) rebuilt[rows[e]] = others[e];
    check(rebuilt == codes, "sparse and dense codes are the same");
    bool right = true;
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t below = 0;
      for (double cut : cuts) below += cut < values[i];
      right &= codes[i] == (std::isnan(values[i]) ? cuts.size() + 1 : below);
    }
    check(right, "a code is the number of thresholds below the value");
  }
}

}  // namespace frugalboost::testing
