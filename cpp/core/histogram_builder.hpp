// Histograms of all searched features over a range of rows.
#pragma once

#include <cstdlib>
#include <memory>

#include "core/accumulate.hpp"
#include "core/feature_space.hpp"
#include "core/search.hpp"

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
  struct Job {
    Range range;
    Start start;
    Sum* cells;
    std::uint32_t* counts;
  };

  // Features whose rows are read together and whose cells lie together: a block, or a few columns.
  struct Lane {
    std::size_t first_code = 0, n_codes = 0;
    double cost = 0.0;                           // of a row, in cell updates
    const FeatureSpace::Block* block = nullptr;  // null for columns
    std::size_t first_single = 0, n_singles = 0;
    bool is_divisible = true;  // whether a part of the rows takes a part of the time
  };

  struct Free {
    void operator()(Sum* cells) const { std::free(cells); }
  };
  using Cells = std::unique_ptr<Sum[], Free>;

  struct Crew;

  void add_lanes();
  std::size_t add_alone(const Job& job) const;
  std::size_t add_together(const Job& job, int n_threads) const;
  std::size_t work_on(std::size_t at, Crew& crew, int thread, int n_team, bool is_home) const;
  bool is_divided(const Lane& lane, const Job& job) const;
  Range home_of(int thread, int n_team) const;
  std::size_t add_rows(const Lane& lane, Range rows, Sum* cells, const Job& job) const;
  Range cells_of(const Lane& lane) const;
  void clear(const Lane& lane, const Job& job) const;
  void finish(const Lane& lane, const Sum* totals, const Job& job) const;
  void make_spare_cells(int n_threads) const;
  Target target(std::size_t slot, Sum* cells, std::uint32_t* counts) const;

  const SearchContext& context_;
  const FeatureSpace& space_;
  Accumulator accumulator_;
  std::vector<Lane> lanes_;
  double cost_ = 0.0;  // of a row in all lanes
  // Of each thread, for lanes that are not its own; zero between calls.
  mutable std::vector<Cells> spare_cells_;
};

}  // namespace frugalboost
