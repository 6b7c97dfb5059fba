// The walk of shap.hpp for a few rows side by side.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/explain/shap.hpp"

namespace frugalboost {

constexpr std::size_t shap_lanes = 8;

// Numbers of so many rows, as vectors of whatever length the processor has.
typedef double Lanes8 __attribute__((vector_size(64)));
typedef std::int64_t Mask8 __attribute__((vector_size(64)));  // all bits or none
static_assert(sizeof(Lanes8) == shap_lanes * sizeof(double));

// What a step does to the products of a row that has followed all splits on its feature so far and
// does again (`kept`), or not (`lost`), and what it then adds for each unit of the sums below. A
// row that was lost before has its products multiplied by the step's share, and adds nothing.
struct ShapFactors {
  explicit ShapFactors(const double* first, std::size_t n_points)
      : kept(first),
        lost(first + n_points),
        kept_gain(first + 2 * n_points),
        lost_gain(first + 3 * n_points) {}
  const double *kept, *lost, *kept_gain, *lost_gain;
};
constexpr std::size_t factors_per_point = 4;

// Room for one walk; level by level.
struct ShapRoom {
  Lanes8* products;       // (depth + 1, n_points)
  Lanes8* sums;           // (depth + 1, n_outputs, n_points)
  Mask8* follows;         // (depth + 1): all splits on the step's feature up to there
  const ShapStep** path;  // (depth + 1)
};

struct ShapJob {
  const ShapStep *first, *last;
  const double* factors;
  const Quadrature* quadrature;
  const double* values;  // of the forest's nodes, (nodes, n_outputs)
  std::size_t n_outputs;
  const Mask8* goes_left;  // of the forest's nodes from `first_node` on
  std::int32_t first_node;
  double* out;             // of the first row, (n_features, n_outputs)
  std::size_t row_stride;  // of `out`
  std::size_t n_rows;      // at most `shap_lanes`
};

void explain_rows(const ShapJob& job, const ShapRoom& room);

}  // namespace frugalboost
