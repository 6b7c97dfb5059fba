// Histograms of all searched features over a range of rows.
#pragma once

#include "core/histogram/accumulate.hpp"
#include "core/histogram/feature_space.hpp"
#include "core/histogram/lane_team.hpp"
#include "core/search/search.hpp"

namespace frugalboost {

// Whether cells and counts are overwritten, or added to.
enum class Start { from_zero, from_cells };

class HistogramBuilder {
 public:
  HistogramBuilder(const SearchContext& context, const FeatureSpace& space, const Problem& problem,
                   const RowOrder& order);

  // Adds the rows of `range`, whose channel totals are `totals`, to cells and counts (null unless
  // wanted). Without totals the cells of rest codes are left alone. Returns the number of cell
  // updates.
  std::size_t build(Range range, const Sum* totals, Start start, Sum* cells,
                    std::uint32_t* counts) const;

 private:
  struct Task;

  std::size_t add(const Lane& lane, Range rows, Sum* cells, std::uint32_t* counts) const;
  void clear(const Lane& lane, Sum* cells, std::uint32_t* counts) const;
  void finish(const Lane& lane, const Sum* totals, const Task& task) const;
  Target target(std::size_t slot, Sum* cells, std::uint32_t* counts) const;

  const SearchContext& context_;
  const FeatureSpace& space_;
  Accumulator accumulator_;
  Lanes lanes_;
  LaneTeam<Sum> team_;
};

}  // namespace frugalboost
