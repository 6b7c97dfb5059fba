#include "core/histogram_builder.hpp"

#include <algorithm>
#include <array>

#include "core/parallel.hpp"

namespace frugalboost {

HistogramBuilder::HistogramBuilder(const SearchContext& context, const FeatureSpace& space,
                                   const Problem& problem, const RowOrder& order)
    : context_(context), space_(space), accumulator_(problem, order) {}

std::size_t HistogramBuilder::build(Range range, const Sum* totals, Sum* cells,
                                    std::uint32_t* counts) const {
  const Job job{range, totals, cells, counts};
  const std::size_t n_blocks = space_.blocks().size();
  constexpr std::size_t group = Accumulator::group_size;
  const std::size_t n_groups = (space_.singles().size() + group - 1) / group;
  std::vector<std::size_t> reads(context_.options.n_threads, 0);
  // A block reads a few entries of each row, as a group reads a few columns.
  parallel_for(n_blocks + n_groups, range.size() * group, context_.options.n_threads, context_.poll,
               [&](std::size_t task) {
                 reads[this_thread()] += task < n_blocks
                                             ? build_block(space_.blocks()[task], job)
                                             : build_singles((task - n_blocks) * group, job);
               });
  std::size_t sum = 0;
  for (std::size_t r : reads) sum += r;
  return sum;
}

std::size_t HistogramBuilder::build_block(const FeatureSpace::Block& block, const Job& job) const {
  Sum* cells = job.cells + block.first_code * space_.n_channels();
  std::uint32_t* counts = job.counts == nullptr ? nullptr : job.counts + block.first_code;
  const std::size_t reads = accumulator_.add_block(*block.rows, job.range, cells, counts);
  for (std::size_t i = 0; i < block.slots.size(); ++i) {
    if (block.slots[i] == FeatureSpace::no_slot) continue;
    const Target t = target(block.slots[i], job);
    Accumulator::fill_rest(t, block.rows->default_code[i], job.totals, space_.n_channels(),
                           job.range.size());
  }
  return reads;
}

std::size_t HistogramBuilder::build_singles(std::size_t first, const Job& job) const {
  std::array<Target, Accumulator::group_size> targets{};
  const std::size_t n = std::min(Accumulator::group_size, space_.singles().size() - first);
  for (std::size_t i = 0; i < n; ++i) targets[i] = target(space_.singles()[first + i], job);
  const std::size_t reads = accumulator_.add_group(targets.data(), n, job.range);
  for (std::size_t i = 0; i < n; ++i)
    if (targets[i].column->storage == Storage::sparse)
      Accumulator::fill_rest(targets[i], targets[i].column->default_code, job.totals,
                             space_.n_channels(), job.range.size());
  return reads;
}

Target HistogramBuilder::target(std::size_t slot, const Job& job) const {
  return {&space_.column(slot), job.cells + space_.cell_offset(slot),
          job.counts == nullptr ? nullptr : job.counts + space_.code_offset(slot)};
}

}  // namespace frugalboost
