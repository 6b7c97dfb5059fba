// Histograms of all searched features over a range of rows.
#pragma once

#include "core/accumulate.hpp"
#include "core/feature_space.hpp"
#include "core/search.hpp"

namespace frugalboost {

class HistogramBuilder {
 public:
  HistogramBuilder(const SearchContext& context, const FeatureSpace& space, const Problem& problem,
                   const RowOrder& order);

  // Adds the rows of `range`, whose channel totals are `totals`, to cells and counts (null unless
  // wanted) that are zero. Without totals the cells of rest codes are left alone. Returns the
  // number of cell updates.
  std::size_t build(Range range, const Sum* totals, Sum* cells, std::uint32_t* counts) const;

 private:
  struct Job {
    Range range;
    const Sum* totals;
    Sum* cells;
    std::uint32_t* counts;
  };

  std::size_t slices_of(const Job& job) const;
  Sum* slice_cells(std::size_t block, std::size_t slice, const Job& job) const;
  std::size_t build_part(std::size_t block, std::size_t slice, std::size_t n_slices,
                         const Job& job) const;
  void finish_block(std::size_t block, std::size_t n_slices, const Job& job) const;
  std::size_t build_singles(std::size_t first, const Job& job) const;
  Target target(std::size_t slot, const Job& job) const;

  const SearchContext& context_;
  const FeatureSpace& space_;
  Accumulator accumulator_;
  mutable std::vector<Sum> slice_cells_;  // zero between calls
};

}  // namespace frugalboost
