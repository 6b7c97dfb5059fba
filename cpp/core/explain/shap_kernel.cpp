#include "core/explain/shap_kernel.hpp"

#include <algorithm>

#include "core/base/kernel_parts.hpp"

namespace frugalboost {
namespace {

// `Points` is the number of points, or a `Fixed` one.
template <class Points>
struct ShapWalk {
  const ShapJob& job;
  const ShapRoom& room;
  const Points n_points;

  FRUGALBOOST_PART ShapFactors factors_of(const ShapStep& step) const {
    const std::size_t number = &step - job.first;
    return ShapFactors(job.factors + number * factors_per_point * n_points, n_points);
  }

  FRUGALBOOST_PART Lanes8* products_at(std::size_t level) const {
    return room.products + level * n_points;
  }

  FRUGALBOOST_PART Lanes8* sums_at(std::size_t level) const {
    return room.sums + level * job.n_outputs * n_points;
  }

  FRUGALBOOST_PART void start() const {
    std::fill_n(products_at(0), std::size_t{n_points}, Lanes8{} + 1.0);
    room.follows[0] = ~Mask8{};
    clear_sums(0);
  }

  FRUGALBOOST_PART void enter(const ShapStep& step) const {
    room.path[step.level] = &step;
    const ShapFactors factors = factors_of(step);
    const Mask8 goes_left = job.goes_left[step.parent - job.first_node];
    const Mask8 before = room.follows[step.before];
    const Mask8 now = before & (step.is_left ? goes_left : ~goes_left);
    room.follows[step.level] = now;
    const Lanes8* above = products_at(step.level - 1);
    Lanes8* here = products_at(step.level);
    const Lanes8 share = Lanes8{} + step.share;
    for (std::size_t q = 0; q < n_points; ++q) {
      const Lanes8 kept = Lanes8{} + factors.kept[q], lost = Lanes8{} + factors.lost[q];
      here[q] = above[q] * (now ? kept : (before ? lost : share));
    }
    step.is_leaf ? sum_leaf(step) : clear_sums(step.level);
  }

  FRUGALBOOST_PART void clear_sums(std::size_t level) const {
    std::fill_n(sums_at(level), job.n_outputs * n_points, Lanes8{});
  }

  FRUGALBOOST_PART void sum_leaf(const ShapStep& step) const {
    const Lanes8* products = products_at(step.level);
    Lanes8* sums = sums_at(step.level);
    const double* weight = job.quadrature->weight.data();
    for (std::size_t v = 0; v < job.n_outputs; ++v) {
      const double value = job.values[step.node * job.n_outputs + v];
      for (std::size_t q = 0; q < n_points; ++q) *sums++ = value * weight[q] * products[q];
    }
  }

  // What the step adds for its feature, once the sums over all leaves below it are known.
  FRUGALBOOST_PART void leave(const ShapStep& step) const {
    const ShapFactors factors = factors_of(step);
    const Mask8 before = room.follows[step.before], now = room.follows[step.level];
    const Lanes8* sums = sums_at(step.level);
    Lanes8* above = sums_at(step.level - 1);
    double* out = job.out + step.feature * job.n_outputs;
    for (std::size_t v = 0; v < job.n_outputs; ++v, ++out) {
      Lanes8 kept{}, lost{};
      for (std::size_t q = 0; q < n_points; ++q, ++sums, ++above) {
        *above += *sums;
        kept += factors.kept_gain[q] * *sums;
        lost += factors.lost_gain[q] * *sums;
      }
      const Lanes8 added = now ? kept : (before ? lost : Lanes8{});
      for (std::size_t row = 0; row < job.n_rows; ++row) out[row * job.row_stride] += added[row];
    }
  }
};

template <class Walk>
FRUGALBOOST_PART void walk_through(const Walk& walk) {
  walk.start();
  std::int32_t level = 0;
  for (const ShapStep* step = walk.job.first + 1; step < walk.job.last; ++step) {
    for (; level >= step->level; --level) walk.leave(*walk.room.path[level]);
    walk.enter(*step);
    level = step->level;
  }
  for (; level > 0; --level) walk.leave(*walk.room.path[level]);
}

}  // namespace

// Most trees have paths of few features, for which loops over points are best unrolled.
FRUGALBOOST_CLONES
void explain_rows(const ShapJob& job, const ShapRoom& room) {
  const std::size_t n_points = job.quadrature->weight.size();
  if (n_points == 1) return walk_through(ShapWalk<Fixed<1>>{job, room, {}});
  if (n_points == 2) return walk_through(ShapWalk<Fixed<2>>{job, room, {}});
  if (n_points == 3) return walk_through(ShapWalk<Fixed<3>>{job, room, {}});
  if (n_points == 4) return walk_through(ShapWalk<Fixed<4>>{job, room, {}});
  walk_through(ShapWalk<std::size_t>{job, room, n_points});
}

}  // namespace frugalboost
