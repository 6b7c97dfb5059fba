// Random tables and problems with everything that hurts: ties, one-unit and huge weights, missing
// values, categories, sparse and wide columns.
#pragma once

#include <random>
#include <vector>

#include "core/base/problem.hpp"
#include "core/binning/raw_table.hpp"
#include "core/columns/columns.hpp"
#include "core/rows/real_rows.hpp"
#include "tests/check.hpp"

namespace frugalboost::testing {

using Random = std::mt19937_64;

constexpr Scalar all_scalars[] = {Scalar::f32, Scalar::f64, Scalar::i8,  Scalar::i16, Scalar::i32,
                                  Scalar::i64, Scalar::u8,  Scalar::u16, Scalar::u32, Scalar::u64};

inline int draw(Random& random, int low, int high) {  // both included
  return std::uniform_int_distribution<int>(low, high)(random);
}

// How many codes columns of bytes have: by default they nearly fill one.
struct ByteCodes {
  int fewest;
  bool has_missing;
  int most = 256;
};

// Owns the memory that Columns looks into.
struct Table {
  std::vector<std::vector<std::uint8_t>> dense8;
  std::vector<std::vector<std::uint16_t>> wide;
  std::vector<std::vector<Row>> rows;
  Columns columns;
  bool is_plain;  // neither categories nor missing values

  Table(Random& random, std::size_t n_rows, int n_features, bool plain = false) : is_plain(plain) {
    columns.n_rows = n_rows;
    for (int f = 0; f < n_features; ++f) add_column(random);
  }

  // Columns of bytes alone.
  Table(Random& random, std::size_t n_rows, int n_features, ByteCodes codes) : is_plain(false) {
    columns.n_rows = n_rows;
    for (int f = 0; f < n_features; ++f) {
      Column column;
      column.has_missing = codes.has_missing && draw(random, 0, 2) > 0;
      column.n_bins = draw(random, codes.fewest, codes.most) - column.has_missing;
      column.is_categorical = draw(random, 0, 5) == 0;
      add_bytes(random, column);
    }
  }

 private:
  void add_column(Random& random) {
    Column column;
    column.n_bins = draw(random, 1, 6);
    column.has_missing = !is_plain && draw(random, 0, 2) == 0;
    column.is_categorical = !is_plain && draw(random, 0, 2) == 0;
    column.storage = static_cast<Storage>(draw(random, 0, 2));
    if (column.storage == Storage::dense16 && draw(random, 0, 1)) column.n_bins = 300;
    const int last = column.n_codes() - 1;
    if (column.storage == Storage::dense8) return add_bytes(random, column);
    if (column.storage == Storage::dense16) {
      std::vector<std::uint16_t> codes(columns.n_rows);
      for (auto& code : codes) code = static_cast<std::uint16_t>(draw(random, 0, last));
      wide.push_back(std::move(codes));
      column.codes16 = wide.back().data();
    } else {
      add_sparse(random, column, last);
    }
    columns.columns.push_back(column);
  }

  void add_bytes(Random& random, Column& column) {
    std::vector<std::uint8_t> codes(columns.n_rows);
    const int last = column.n_codes() - 1;
    for (auto& code : codes) code = static_cast<std::uint8_t>(draw(random, 0, last));
    dense8.push_back(std::move(codes));
    column.codes8 = dense8.back().data();
    columns.columns.push_back(column);
  }

  void add_sparse(Random& random, Column& column, int last) {
    column.default_code = draw(random, 0, last);
    std::vector<Row> at;
    std::vector<std::uint16_t> codes;
    for (std::size_t i = 0; i < columns.n_rows; ++i) {
      const int code = draw(random, 0, last);
      if (code == column.default_code || draw(random, 0, 1)) continue;
      at.push_back(static_cast<Row>(i));
      codes.push_back(static_cast<std::uint16_t>(code));
    }
    rows.push_back(std::move(at));
    wide.push_back(std::move(codes));
    column.rows = rows.back().data();
    column.codes16 = wide.back().data();
    column.n_entries = rows.back().size();
  }
};

// Owns the memory that Problem looks into.
struct Weights {
  std::vector<Row> labels;
  std::vector<Sum> weights, mass, signed_weights, packed;
  Problem problem;

  Weights(Random& random, Layout layout, int n_outputs, std::size_t n_rows) {
    problem.layout = layout;
    problem.n_outputs = n_outputs;
    problem.n_rows = n_rows;
    for (std::size_t i = 0; i < n_rows; ++i) add_row(random);
    point();
  }

  // Raises all numbers of a row.
  void raise(std::size_t row, Sum factor) {
    const std::size_t n = weights.size() / mass.size();
    for (std::size_t i = row * n; i < (row + 1) * n; ++i) weights[i] *= factor;
    mass[row] *= factor;
  }

  // Lets the problem look at the arrays as they are now.
  void point() {
    problem.labels = labels.data();
    problem.weights = weights.data();
    problem.mass = mass.data();
    if (problem.layout == Layout::real)
      check(pack_targets(weights.data(), problem.n_rows, problem.n_outputs, packed, problem),
            "sums fit into packed numbers");
    if (!problem.is_two_classes()) return;
    signed_weights = weights;
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (labels[i] == 0) signed_weights[i] = -weights[i];
    problem.weights = signed_weights.data();
    problem.labels = nullptr;
  }

 private:
  // Sums of real targets share 63 bits.
  Sum weight(Random& random) const {
    switch (draw(random, 0, 3)) {
      case 0:
        return 1;
      case 1:
        return Sum{1} << (problem.layout == Layout::real ? 16 : 40);
      default:
        return draw(random, 1, 5);
    }
  }

  void add_row(Random& random) {
    const int n = problem.n_outputs;
    labels.push_back(static_cast<Row>(draw(random, 0, n - 1)));
    std::vector<Sum> row;
    for (int k = 0; k < (problem.layout == Layout::classes ? 1 : n); ++k)
      row.push_back(weight(random));
    Sum total = 0;
    if (problem.layout != Layout::real) {
      for (Sum w : row) total += w;
    } else {
      for (int k = 0; k < n; ++k) {
        const Sum p = draw(random, -1000, 1000);
        row.push_back(p);
        total += (p * p + row[k] - 1) / row[k];
      }
    }
    weights.insert(weights.end(), row.begin(), row.end());
    mass.push_back(total);
  }
};

}  // namespace frugalboost::testing
