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
  const std::size_t n_blocks = space_.blocks().size(), n_slices = slices_of(job);
  constexpr std::size_t group = Accumulator::group_size;
  const std::size_t n_groups = (space_.singles().size() + group - 1) / group;
  const std::size_t n_parts = n_blocks * n_slices;
  const int n_threads = context_.options.n_threads;
  std::vector<std::size_t> reads(n_threads, 0);
  // A block reads a few entries of each row, as a group reads a few columns.
  parallel_for(
      n_parts + n_groups, range.size() * group, n_threads, context_.poll, [&](std::size_t task) {
        reads[this_thread()] += task < n_parts
                                    ? build_part(task % n_blocks, task / n_blocks, n_slices, job)
                                    : build_singles((task - n_parts) * group, job);
      });
  parallel_for(n_blocks, space_.block_codes() * n_slices, n_threads, context_.poll,
               [&](std::size_t block) { finish_block(block, n_slices, job); });
  std::size_t sum = 0;
  for (std::size_t r : reads) sum += r;
  return sum;
}

// There are few blocks, and the middle of an image has most of its entries: with several threads
// the rows are divided, too, each part of them adding to cells of its own.
std::size_t HistogramBuilder::slices_of(const Job& job) const {
  constexpr std::size_t fewest_rows = 4096;
  const std::size_t n_slices = context_.options.n_threads;
  if (n_slices < 2 || job.counts != nullptr || job.range.size() < fewest_rows) return 1;
  slice_cells_.resize((n_slices - 1) * space_.block_codes() * space_.n_channels(), 0);
  return n_slices;
}

Sum* HistogramBuilder::slice_cells(std::size_t block, std::size_t slice, const Job& job) const {
  const std::size_t n_channels = space_.n_channels();
  Sum* cells = slice == 0 ? job.cells
                          : slice_cells_.data() + (slice - 1) * space_.block_codes() * n_channels;
  return cells + space_.blocks()[block].first_code * n_channels;
}

std::size_t HistogramBuilder::build_part(std::size_t block, std::size_t slice, std::size_t n_slices,
                                         const Job& job) const {
  const FeatureSpace::Block& searched = space_.blocks()[block];
  const std::size_t n = job.range.size();
  const Range rows{job.range.begin + n * slice / n_slices,
                   job.range.begin + n * (slice + 1) / n_slices};
  std::uint32_t* counts = job.counts == nullptr ? nullptr : job.counts + searched.first_code;
  return accumulator_.add_block(*searched.rows, rows, slice_cells(block, slice, job), counts);
}

void HistogramBuilder::finish_block(std::size_t block, std::size_t n_slices, const Job& job) const {
  const FeatureSpace::Block& searched = space_.blocks()[block];
  const std::size_t n_cells = searched.rows->n_codes * space_.n_channels();
  Sum* cells = slice_cells(block, 0, job);
  for (std::size_t slice = 1; slice < n_slices; ++slice) {
    Sum* part = slice_cells(block, slice, job);
    for (std::size_t i = 0; i < n_cells; ++i) cells[i] += part[i];
    std::fill_n(part, n_cells, Sum{0});
  }
  if (job.totals == nullptr) return;
  for (std::size_t i = 0; i < searched.slots.size(); ++i) {
    if (searched.slots[i] == FeatureSpace::no_slot) continue;
    Accumulator::fill_rest(target(searched.slots[i], job), searched.rows->default_code[i],
                           job.totals, space_.n_channels(), job.range.size());
  }
}

std::size_t HistogramBuilder::build_singles(std::size_t first, const Job& job) const {
  std::array<Target, Accumulator::group_size> targets{};
  const std::size_t n = std::min(Accumulator::group_size, space_.singles().size() - first);
  for (std::size_t i = 0; i < n; ++i) targets[i] = target(space_.singles()[first + i], job);
  const std::size_t reads = accumulator_.add_group(targets.data(), n, job.range);
  if (job.totals == nullptr) return reads;
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
