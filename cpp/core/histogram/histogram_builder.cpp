#include "core/histogram/histogram_builder.hpp"

#include <algorithm>
#include <array>

#include "core/threads/parallel.hpp"

namespace frugalboost {

// There are no spare counts, so with counts each lane is one thread's.
struct HistogramBuilder::Task {
  const HistogramBuilder& builder;
  Range range;
  Start start;
  Sum* cells;
  std::uint32_t* counts;
  bool is_divisible;

  void clear(const Lane& lane) const {
    if (start == Start::from_zero) builder.clear(lane, cells, counts);
  }
  std::size_t add(const Lane& lane, Range rows, Sum* to) const {
    return builder.add(lane, rows, to, counts);
  }
};

HistogramBuilder::HistogramBuilder(const SearchContext& context, const FeatureSpace& space,
                                   const Problem& problem, const RowOrder& order)
    : context_(context),
      space_(space),
      accumulator_(problem, order),
      lanes_(space, context.columns.n_rows, Accumulator::group_size),
      team_(lanes_, space.n_cells(), space.n_channels()) {}

std::size_t HistogramBuilder::build(Range range, const Sum* totals, Start start, Sum* cells,
                                    std::uint32_t* counts) const {
  const int n_threads = context_.options.n_threads;
  const bool is_divisible = counts == nullptr;
  const std::size_t n_parts = parts_between_polls(lanes_.cost(), range.size());
  std::size_t reads = 0;
  for (std::size_t part = 0; part < n_parts; ++part) {
    const Start how = part == 0 ? start : Start::from_cells;
    const Task task{*this, part_of(range, part, n_parts), how, cells, counts, is_divisible};
    reads += team_.run(task, n_threads);
    context_.poll();
  }
  if (totals == nullptr) return reads;
  const Task task{*this, range, start, cells, counts, is_divisible};
  parallel_for(lanes_.size(), space_.n_cells() / std::max<std::size_t>(1, lanes_.size()), n_threads,
               context_.poll, [&](std::size_t i) { finish(lanes_[i], totals, task); });
  return reads;
}

std::size_t HistogramBuilder::add(const Lane& lane, Range rows, Sum* cells,
                                  std::uint32_t* counts) const {
  if (lane.block != nullptr) {
    std::uint32_t* of_block = counts == nullptr ? nullptr : counts + lane.first_code;
    return accumulator_.add_block(*lane.block->rows, rows,
                                  cells + lane.first_code * space_.n_channels(), of_block);
  }
  std::array<Target, Accumulator::group_size> targets{};
  for (std::size_t i = 0; i < lane.n_singles; ++i)
    targets[i] = target(space_.singles()[lane.first_single + i], cells, counts);
  return accumulator_.add_group(targets.data(), lane.n_singles, rows);
}

void HistogramBuilder::clear(const Lane& lane, Sum* cells, std::uint32_t* counts) const {
  const std::size_t n_channels = space_.n_channels();
  std::fill_n(cells + lane.first_code * n_channels, lane.n_codes * n_channels, Sum{0});
  if (counts != nullptr) std::fill_n(counts + lane.first_code, lane.n_codes, std::uint32_t{0});
}

// The cells of codes that rows are not added to.
void HistogramBuilder::finish(const Lane& lane, const Sum* totals, const Task& task) const {
  const auto fill = [&](std::size_t slot, int code) {
    Accumulator::fill_rest(target(slot, task.cells, task.counts), code, totals, space_.n_channels(),
                           task.range.size());
  };
  if (lane.block != nullptr) {
    for (std::size_t i = 0; i < lane.block->slots.size(); ++i)
      if (lane.block->slots[i] != FeatureSpace::no_slot)
        fill(lane.block->slots[i], lane.block->rows->default_code[i]);
    return;
  }
  for (std::size_t i = 0; i < lane.n_singles; ++i) {
    const std::size_t slot = space_.singles()[lane.first_single + i];
    if (space_.column(slot).storage == Storage::sparse)
      fill(slot, space_.column(slot).default_code);
  }
}

Target HistogramBuilder::target(std::size_t slot, Sum* cells, std::uint32_t* counts) const {
  return {&space_.column(slot), cells + space_.cell_offset(slot),
          counts == nullptr ? nullptr : counts + space_.code_offset(slot)};
}

}  // namespace frugalboost
