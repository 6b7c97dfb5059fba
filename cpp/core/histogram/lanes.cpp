#include "core/histogram/lanes.hpp"

#include <algorithm>

namespace frugalboost {
namespace {

// What a row costs in a lane besides its cell updates, in cell updates.
constexpr double overhead = 2.0;

}  // namespace

Lanes::Lanes(const FeatureSpace& space, std::size_t n_rows, std::size_t group) {
  for (const FeatureSpace::Block& block : space.blocks()) {
    Lane lane;
    lane.first_code = block.first_code;
    lane.n_codes = block.rows->n_codes;
    lane.cost =
        block.rows->row_start.back() / std::max(1.0, static_cast<double>(n_rows)) + overhead;
    lane.block = &block;
    add(lane);
  }
  const std::vector<std::size_t>& singles = space.singles();
  for (std::size_t first = 0; first < singles.size(); first += group) {
    Lane lane;
    lane.first_code = space.code_offset(singles[first]);
    lane.first_single = first;
    lane.n_singles = std::min(group, singles.size() - first);
    lane.cost = static_cast<double>(lane.n_singles) + overhead;
    for (std::size_t i = first; i < first + lane.n_singles; ++i) {
      lane.n_codes += space.column(singles[i]).n_codes();
      lane.is_divisible &= space.column(singles[i]).storage != Storage::sparse;
    }
    add(lane);
  }
}

void Lanes::add(const Lane& lane) {
  lanes_.push_back(lane);
  cost_ += lane.cost;
}

Range Lanes::home_of(int thread, int n_team) const {
  Range home;
  double before = 0.0;
  for (std::size_t at = 0; at < lanes_.size(); ++at) {
    const int owner = static_cast<int>((before + lanes_[at].cost / 2) / cost_ * n_team);
    before += lanes_[at].cost;
    if (owner < thread) home.begin = at + 1;
    if (owner <= thread) home.end = at + 1;
  }
  return home;
}

}  // namespace frugalboost
