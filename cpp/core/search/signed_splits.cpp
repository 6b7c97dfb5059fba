#include "core/search/signed_splits.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "core/columns/code_reader.hpp"
#include "core/search/describe_split.hpp"

namespace frugalboost {
namespace {

// Highest and lowest sum of the first bins, of at least `first` and at most `last` of them.
struct Extremes {
  Sum highest, lowest;
};

Extremes scan(const Sum* cells, int first, int last, Sum& sum) {
  Extremes found{sum, sum};
  for (int bin = first; bin < last; ++bin) {
    sum += cells[bin];
    found.highest = std::max(found.highest, sum);
    found.lowest = std::min(found.lowest, sum);
  }
  return found;
}

Extremes scan(const NarrowSum* cells, int first, int last, Sum& sum) {
  auto narrow_sum = static_cast<NarrowSum>(sum);
  const NarrowExtremes found = scan_narrow(cells + first, last - first, narrow_sum);
  sum = narrow_sum;
  return {found.highest, found.lowest};
}

template <class Cell>
Sum best_of_numbers(const SignedCells<Cell>& feature) {
  const Column& column = feature.column;
  // Sums past the rest code lack its cell, known once all others are added.
  const int rest = feature.rest < 0 || feature.rest > column.n_bins ? 0 : feature.rest;
  Sum sum = 0;
  const Extremes before = scan(feature.cells, 0, rest, sum);
  const Extremes after = scan(feature.cells, rest, column.n_bins, sum);
  Sum missing = column.has_missing ? feature.cells[column.missing_code()] : 0;
  const Sum left_out = feature.rest < 0 ? 0 : feature.total - sum - missing;
  const bool rest_is_missing = feature.rest == column.n_bins;
  const Sum shift = rest_is_missing ? 0 : left_out;
  if (rest_is_missing) missing += left_out;
  Sum highest = std::max({Sum{0}, before.highest, after.highest + shift});
  Sum lowest = std::min({Sum{0}, before.lowest, after.lowest + shift});
  // Each prefix with or without the missing values.
  highest += std::max<Sum>(missing, 0);
  lowest += std::min<Sum>(missing, 0);
  return std::max(magnitude(2 * highest - feature.total), magnitude(2 * lowest - feature.total));
}

// Any set of categories may go left, so those with more of class 0 do.
template <class Cell>
Sum best_of_categories(const SignedCells<Cell>& feature) {
  Sum sum = 0, rest = feature.total;
  for (int code = 0; code < feature.column.n_codes(); ++code) {
    sum += magnitude(feature.cells[code]);
    rest -= feature.cells[code];
  }
  return feature.rest < 0 ? sum : sum + magnitude(rest);
}

}  // namespace

Sum best_spread(const SignedCells<Sum>& feature) {
  return feature.column.is_categorical ? best_of_categories(feature) : best_of_numbers(feature);
}

Sum best_spread(const SignedCells<NarrowSum>& feature) {
  return feature.column.is_categorical ? best_of_categories(feature) : best_of_numbers(feature);
}

SignedSplits::SignedSplits(const SearchContext& context, const FeatureSpace& space)
    : context_(context), space_(space), finder_(ClassesCell<ErrorLoss, 2>{2}, 1) {}

SplitChoice SignedSplits::describe(const Node& node, std::size_t slot, const Sum* cells,
                                   Sum spread) {
  return space_.column(slot).is_categorical || cells == nullptr
             ? from_rows(node, slot)
             : from_cells(node, slot, cells, spread);
}

// The lowest bin that reaches the spread, missing values right before missing left.
SplitChoice SignedSplits::from_cells(const Node& node, std::size_t slot, const Sum* cells,
                                     Sum spread) const {
  const Column& column = space_.column(slot);
  std::vector<Sum> filled(cells, cells + column.n_codes());
  if (space_.rest_code(slot) >= 0)
    filled[space_.rest_code(slot)] =
        difference(node) - std::accumulate(filled.begin(), filled.end(), Sum{0});
  const Sum missing = column.has_missing ? filled[column.missing_code()] : 0;
  SplitChoice choice;
  choice.found = true;
  choice.feature = space_.feature(slot);
  choice.loss = as_double((node.mass - spread) / 2);
  Sum sum = 0;
  for (choice.bin = 0; choice.bin < column.n_bins; ++choice.bin) {
    sum += filled[choice.bin];
    choice.missing_left = magnitude(2 * sum - difference(node)) != spread;
    if (!choice.missing_left) break;
    if (magnitude(2 * (sum + missing) - difference(node)) == spread) break;
  }
  // To go on without a split would give another tree than other searches do.
  if (choice.bin == column.n_bins) throw std::logic_error("a spread is not that of its cells");
  choice.missing_seen = column.has_missing && (missing != 0 || any_missing(node, choice.feature));
  return choice;
}

bool SignedSplits::any_missing(const Node& node, std::uint32_t feature) const {
  const int missing = context_.columns.columns[feature].missing_code();
  const CodeReader read(context_.columns, feature);
  for (std::size_t i = node.range.begin; i < node.range.end; ++i)
    if (read(context_.order.row(i)) == missing) return true;
  return false;
}

// The best split of one feature as every search describes it.
SplitChoice SignedSplits::from_rows(const Node& node, std::size_t slot) {
  const Column& column = space_.column(slot);
  const CodeReader read(context_.columns, space_.feature(slot));
  cells_.assign(2 * static_cast<std::size_t>(column.n_codes()), 0);
  for (std::size_t i = node.range.begin; i < node.range.end; ++i) {
    const Sum weight = context_.order.weights()[i];
    cells_[2 * read(context_.order.row(i)) + (weight > 0)] += magnitude(weight);
  }
  const Histogram histogram{cells_.data(), nullptr, node.totals.data()};
  const auto best = finder_.best(column, histogram, node.mass);
  if (!best.is_valid()) return {};
  return describe_split(finder_, column, space_.feature(slot), histogram, best);
}

SplitChoice SignedSplits::first_split(const Node& node) {
  for (std::size_t slot = 0; slot < space_.size(); ++slot)
    if (rows_differ(node, slot)) return from_rows(node, slot);
  return {};
}

bool SignedSplits::rows_differ(const Node& node, std::size_t slot) const {
  const CodeReader read(context_.columns, space_.feature(slot));
  const int first = read(context_.order.row(node.range.begin));
  for (std::size_t i = node.range.begin + 1; i < node.range.end; ++i)
    if (read(context_.order.row(i)) != first) return true;
  return false;
}

}  // namespace frugalboost
