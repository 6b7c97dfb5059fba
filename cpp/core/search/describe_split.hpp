// The winning split, as a tree needs it.
#pragma once

#include <algorithm>
#include <vector>

#include "core/search/search.hpp"
#include "core/search/splits.hpp"

namespace frugalboost {

template <class Cell>
SplitChoice describe_split(SplitFinder<Cell>& finder, const Column& column, std::uint32_t feature,
                           Histogram histogram, const Candidate<typename Cell::Value>& candidate) {
  SplitChoice choice;
  choice.found = true;
  choice.feature = feature;
  choice.bin = candidate.bin;
  choice.missing_left = candidate.missing_left;
  choice.loss = static_cast<double>(candidate.loss);
  choice.left_totals = finder.left_totals(column, histogram, candidate);
  choice.missing_seen = column.has_missing && finder.holds(histogram, column.missing_code());
  if (column.is_categorical) {
    choice.left_codes = finder.left_codes(column, histogram, candidate);
    for (int code = 0; code < column.n_bins; ++code)
      if (!finder.holds(histogram, code)) choice.absent_codes.push_back(code);
    choice.missing_left = std::find(choice.left_codes.begin(), choice.left_codes.end(),
                                    column.missing_code()) != choice.left_codes.end();
  }
  return choice;
}

}  // namespace frugalboost
