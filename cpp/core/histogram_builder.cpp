#include "core/histogram_builder.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <new>
#include <numeric>

#include "core/parallel.hpp"

namespace frugalboost {
namespace {

constexpr std::size_t group = Accumulator::group_size;

// What a row costs in a lane besides its cell updates, in cell updates.
constexpr double overhead = 2.0;

// A team of threads costs more to wake than a small node costs to search.
constexpr double updates_worth_threads = 1 << 16;

// About a tenth of a second.
constexpr double updates_between_polls = 1 << 26;

// A lane's rows are taken in chunks: small enough that threads finish together.
constexpr std::size_t rows_of_a_chunk = 512, chunks_per_thread = 8;

std::size_t chunks_of(std::size_t n_rows, int n_threads) {
  return std::clamp<std::size_t>(n_rows / rows_of_a_chunk, 1, chunks_per_thread * n_threads);
}

Range part_of(Range range, std::size_t part, std::size_t n_parts) {
  return {range.begin + range.size() * part / n_parts,
          range.begin + range.size() * (part + 1) / n_parts};
}

void merge(Range range, Sum* spare, Sum* cells) {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    cells[i] += spare[i];
    spare[i] = 0;
  }
}

}  // namespace

HistogramBuilder::HistogramBuilder(const SearchContext& context, const FeatureSpace& space,
                                   const Problem& problem, const RowOrder& order)
    : context_(context), space_(space), accumulator_(problem, order) {
  add_lanes();
  for (const Lane& lane : lanes_) cost_ += lane.cost;
}

void HistogramBuilder::add_lanes() {
  const double n_rows = static_cast<double>(std::max<std::size_t>(1, context_.columns.n_rows));
  for (const FeatureSpace::Block& block : space_.blocks()) {
    Lane lane;
    lane.first_code = block.first_code;
    lane.n_codes = block.rows->n_codes;
    lane.cost = block.rows->row_start.back() / n_rows + overhead;
    lane.block = &block;
    lanes_.push_back(lane);
  }
  const std::vector<std::size_t>& singles = space_.singles();
  for (std::size_t first = 0; first < singles.size(); first += group) {
    Lane lane;
    lane.first_code = space_.code_offset(singles[first]);
    lane.first_single = first;
    lane.n_singles = std::min(group, singles.size() - first);
    lane.cost = static_cast<double>(lane.n_singles) + overhead;
    for (std::size_t i = first; i < first + lane.n_singles; ++i) {
      lane.n_codes += space_.column(singles[i]).n_codes();
      lane.is_divisible &= space_.column(singles[i]).storage != Storage::sparse;
    }
    lanes_.push_back(lane);
  }
}

std::size_t HistogramBuilder::build(Range range, const Sum* totals, Start start, Sum* cells,
                                    std::uint32_t* counts) const {
  const double cost = cost_ * static_cast<double>(range.size());
  const int n_threads = cost < updates_worth_threads ? 1 : context_.options.n_threads;
  const std::size_t n_parts = static_cast<std::size_t>(cost / updates_between_polls) + 1;
  std::size_t reads = 0;
  for (std::size_t part = 0; part < n_parts; ++part) {
    const Job job{part_of(range, part, n_parts), part == 0 ? start : Start::from_cells, cells,
                  counts};
    reads += n_threads == 1 ? add_alone(job) : add_together(job, n_threads);
    context_.poll();
  }
  if (totals == nullptr) return reads;
  const Job job{range, start, cells, counts};
  parallel_for(lanes_.size(), space_.n_cells() / std::max<std::size_t>(1, lanes_.size()), n_threads,
               context_.poll, [&](std::size_t i) { finish(lanes_[i], totals, job); });
  return reads;
}

std::size_t HistogramBuilder::add_alone(const Job& job) const {
  std::size_t reads = 0;
  for (const Lane& lane : lanes_) {
    clear(lane, job);
    reads += add_rows(lane, job.range, job.cells, job);
  }
  return reads;
}

// What threads share while they add the rows of a job.
struct HistogramBuilder::Crew {
  Crew(const Job& of, std::size_t n_lanes, int n_threads)
      : job(of), taken(n_lanes), helped(n_lanes * n_threads, 0) {}

  const Job& job;
  std::vector<std::atomic<std::size_t>> taken;  // chunks of each lane, or 1 for the whole
  std::vector<std::uint8_t> helped;             // by lane and thread: spare cells were added to
};

// Each thread has lanes of its own, whose cells stay in its cache from here to the search for
// splits. When it has no more rows to add there it helps the others, in spare cells.
std::size_t HistogramBuilder::add_together(const Job& job, int n_threads) const {
  if (job.counts == nullptr) make_spare_cells(n_threads);
  Crew crew(job, lanes_.size(), n_threads);
  std::vector<std::size_t> reads(n_threads, 0);
  parallel_team(n_threads, [&](int thread, int n_team) {
    const Range home = home_of(thread, n_team);
    for (std::size_t at = home.begin; at < home.end; ++at)
      if (is_divided(lanes_[at], job)) clear(lanes_[at], job);
    std::size_t n_reads = 0;
    for (std::size_t at = home.begin; at < home.end; ++at)
      n_reads += work_on(at, crew, thread, n_team, true);
    for (int other = 1; other < n_team; ++other) {
      const Range theirs = home_of((thread + other) % n_team, n_team);
      for (std::size_t at = theirs.end; at-- > theirs.begin;)  // what they come to last
        n_reads += work_on(at, crew, thread, n_team, false);
    }
    reads[thread] = n_reads;
    wait_for_team();
    for (std::size_t at = 0; at < lanes_.size(); ++at)
      for (int helper = 0; helper < n_team; ++helper)
        if (crew.helped[at * n_team + helper])
          merge(part_of(cells_of(lanes_[at]), thread, n_team), spare_cells_[helper].get(),
                job.cells);
  });
  return std::accumulate(reads.begin(), reads.end(), std::size_t{0});
}

// Adds what nobody else has taken of a lane's rows.
std::size_t HistogramBuilder::work_on(std::size_t at, Crew& crew, int thread, int n_team,
                                      bool is_home) const {
  const Lane& lane = lanes_[at];
  const Job& job = crew.job;
  std::size_t reads = 0;
  if (!is_divided(lane, job)) {
    if (crew.taken[at].fetch_add(1) > 0) return 0;
    clear(lane, job);
    return add_rows(lane, job.range, job.cells, job);
  }
  const std::size_t n_chunks = chunks_of(job.range.size(), n_team);
  for (std::size_t chunk; (chunk = crew.taken[at].fetch_add(1)) < n_chunks;) {
    crew.helped[at * n_team + thread] = !is_home;
    Sum* cells = is_home ? job.cells : spare_cells_[thread].get();
    reads += add_rows(lane, part_of(job.range, chunk, n_chunks), cells, job);
  }
  return reads;
}

// There are no spare counts.
bool HistogramBuilder::is_divided(const Lane& lane, const Job& job) const {
  return job.counts == nullptr && lane.is_divisible;
}

// The lanes of a thread: next to each other, and about as much work as the other threads'.
Range HistogramBuilder::home_of(int thread, int n_team) const {
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

std::size_t HistogramBuilder::add_rows(const Lane& lane, Range rows, Sum* cells,
                                       const Job& job) const {
  if (lane.block != nullptr) {
    std::uint32_t* counts = job.counts == nullptr ? nullptr : job.counts + lane.first_code;
    return accumulator_.add_block(*lane.block->rows, rows,
                                  cells + lane.first_code * space_.n_channels(), counts);
  }
  std::array<Target, group> targets{};
  for (std::size_t i = 0; i < lane.n_singles; ++i)
    targets[i] = target(space_.singles()[lane.first_single + i], cells, job.counts);
  return accumulator_.add_group(targets.data(), lane.n_singles, rows);
}

Range HistogramBuilder::cells_of(const Lane& lane) const {
  const std::size_t n_channels = space_.n_channels();
  return {lane.first_code * n_channels, (lane.first_code + lane.n_codes) * n_channels};
}

void HistogramBuilder::clear(const Lane& lane, const Job& job) const {
  if (job.start != Start::from_zero) return;
  const Range cells = cells_of(lane);
  std::fill_n(job.cells + cells.begin, cells.size(), Sum{0});
  if (job.counts != nullptr)
    std::fill_n(job.counts + lane.first_code, lane.n_codes, std::uint32_t{0});
}

// The cells of codes that rows are not added to.
void HistogramBuilder::finish(const Lane& lane, const Sum* totals, const Job& job) const {
  const auto fill = [&](std::size_t slot, int code) {
    Accumulator::fill_rest(target(slot, job.cells, job.counts), code, totals, space_.n_channels(),
                           job.range.size());
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

// Zeros of the system, which take no memory until they are added to.
void HistogramBuilder::make_spare_cells(int n_threads) const {
  while (spare_cells_.size() < static_cast<std::size_t>(n_threads)) {
    Cells cells(static_cast<Sum*>(std::calloc(space_.n_cells(), sizeof(Sum))));
    if (cells == nullptr) throw std::bad_alloc();
    spare_cells_.push_back(std::move(cells));
  }
}

Target HistogramBuilder::target(std::size_t slot, Sum* cells, std::uint32_t* counts) const {
  return {&space_.column(slot), cells + space_.cell_offset(slot),
          counts == nullptr ? nullptr : counts + space_.code_offset(slot)};
}

}  // namespace frugalboost
