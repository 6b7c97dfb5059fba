// Trees of one split, added to the decisions of many rows at a time.
#pragma once

#include <cstdint>

#include "core/predict/forest.hpp"

namespace frugalboost {

// A tree that says `low` where x <= threshold and `high` elsewhere.
template <class Real>
struct Stump {
  Real threshold;
  bool missing_high;
  std::int32_t column;  // of the tile
  double low, high;
};

// Adds what a stump says to the decisions of n rows; x holds their values of its feature.
void add_stump(const Stump<float>& stump, const float* x, std::size_t n, double* decision);
void add_stump(const Stump<double>& stump, const double* x, std::size_t n, double* decision);

// Adds trees [first, last) to decisions of rows [begin, end). All trees have one split at most,
// on numbers, and say one thing. A row's sum is tree by tree.
void add_stumps(const Forest& forest, const MatrixView& X, std::size_t begin, std::size_t end,
                std::size_t first, std::size_t last, double* decision);

}  // namespace frugalboost
