// Threads that add rows to histograms together.
#pragma once

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <numeric>
#include <vector>

#include "core/histogram/lanes.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {

// What a team is asked to do. `Task` has
//   Range range               the places of the rows
//   Cell* cells               of all codes
//   bool is_divisible         whether rows of one lane may be added by several threads
//   void clear(lane)          called once for each lane, before rows are added to it
//   size_t add(lane, range, cells)  adds rows, returning the number of cell updates
template <class Cell>
class LaneTeam {
 public:
  LaneTeam(const Lanes& lanes, std::size_t n_cells, std::size_t n_channels)
      : lanes_(lanes), n_cells_(n_cells), n_channels_(n_channels) {}
  LaneTeam(const LaneTeam&) = delete;  // lanes often lie beside it
  LaneTeam& operator=(const LaneTeam&) = delete;

  // Returns the number of cell updates.
  template <class Task>
  std::size_t run(const Task& task, int n_threads) const {
    return worth(task.range.size(), n_threads) == 1 ? run_alone(task)
                                                    : run_together(task, n_threads);
  }

 private:
  struct Free {
    void operator()(Cell* cells) const { std::free(cells); }
  };
  using Cells = std::unique_ptr<Cell[], Free>;

  // What threads share while they work on a task.
  struct Crew {
    Crew(std::size_t n_lanes, int n_threads) : taken(n_lanes), helped(n_lanes * n_threads, 0) {}
    std::vector<std::atomic<std::size_t>> taken;  // chunks of each lane, or 1 for the whole
    std::vector<std::uint8_t> helped;             // by lane and thread: spare cells were added to
  };

  // A team of threads costs more to wake than a small node costs to search. Cells must be cleared,
  // too, a few at a time.
  int worth(std::size_t n_rows, int n_threads) const {
    constexpr double updates_worth_threads = 1 << 14, cells_of_an_update = 8.0;
    const double updates = lanes_.cost() * static_cast<double>(n_rows) +
                           static_cast<double>(n_cells_) / cells_of_an_update;
    return updates < updates_worth_threads ? 1 : n_threads;
  }

  // A lane's rows are taken in chunks: small enough that threads finish together.
  static std::size_t chunks_of(std::size_t n_rows, int n_threads) {
    constexpr std::size_t rows_of_a_chunk = 512, chunks_per_thread = 8;
    return std::clamp<std::size_t>(n_rows / rows_of_a_chunk, 1, chunks_per_thread * n_threads);
  }

  template <class Task>
  std::size_t run_alone(const Task& task) const {
    std::size_t reads = 0;
    for (const Lane& lane : lanes_) {
      task.clear(lane);
      reads += task.add(lane, task.range, task.cells);
    }
    return reads;
  }

  // Each thread has lanes of its own, whose cells stay in its cache from here to the search for
  // splits. When it has no more rows to add there it helps the others, in spare cells.
  template <class Task>
  std::size_t run_together(const Task& task, int n_threads) const {
    if (task.is_divisible) make_spare_cells(n_threads);
    Crew crew(lanes_.size(), n_threads);
    std::vector<std::size_t> reads(n_threads, 0);
    parallel_team(n_threads, [&](int thread, int n_team) {
      const Range home = lanes_.home_of(thread, n_team);
      for (std::size_t at = home.begin; at < home.end; ++at)
        if (is_divided(lanes_[at], task)) task.clear(lanes_[at]);
      std::size_t n_reads = 0;
      for (std::size_t at = home.begin; at < home.end; ++at)
        n_reads += work_on(at, task, crew, thread, n_team, true);
      for (int other = 1; other < n_team; ++other) {
        const Range theirs = lanes_.home_of((thread + other) % n_team, n_team);
        for (std::size_t at = theirs.end; at-- > theirs.begin;)  // what they come to last
          n_reads += work_on(at, task, crew, thread, n_team, false);
      }
      reads[thread] = n_reads;
    });
    parallel_team(n_threads, [&](int thread, int n_team) {
      for (std::size_t at = 0; at < lanes_.size(); ++at)
        for (int helper = 0; helper < n_team; ++helper)
          if (crew.helped[at * n_team + helper])
            merge(part_of(cells_of(lanes_[at]), thread, n_team), spare_cells_[helper].get(),
                  task.cells);
    });
    return std::accumulate(reads.begin(), reads.end(), std::size_t{0});
  }

  // Adds what nobody else has taken of a lane's rows.
  template <class Task>
  std::size_t work_on(std::size_t at, const Task& task, Crew& crew, int thread, int n_team,
                      bool is_home) const {
    const Lane& lane = lanes_[at];
    if (!is_divided(lane, task)) {
      if (crew.taken[at].fetch_add(1) > 0) return 0;
      task.clear(lane);
      return task.add(lane, task.range, task.cells);
    }
    std::size_t reads = 0;
    const std::size_t n_chunks = chunks_of(task.range.size(), n_team);
    for (std::size_t chunk; (chunk = crew.taken[at].fetch_add(1)) < n_chunks;) {
      crew.helped[at * n_team + thread] = !is_home;
      Cell* cells = is_home ? task.cells : spare_cells_[thread].get();
      reads += task.add(lane, part_of(task.range, chunk, n_chunks), cells);
    }
    return reads;
  }

  template <class Task>
  static bool is_divided(const Lane& lane, const Task& task) {
    return task.is_divisible && lane.is_divisible;
  }

  // Zeros of the system, which take no memory until they are added to.
  void make_spare_cells(int n_threads) const {
    while (spare_cells_.size() < static_cast<std::size_t>(n_threads)) {
      Cells cells(static_cast<Cell*>(std::calloc(n_cells_, sizeof(Cell))));
      if (cells == nullptr) throw std::bad_alloc();
      spare_cells_.push_back(std::move(cells));
    }
  }

  Range cells_of(const Lane& lane) const {
    return {lane.first_code * n_channels_, (lane.first_code + lane.n_codes) * n_channels_};
  }

  static void merge(Range range, Cell* spare, Cell* cells) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      cells[i] += spare[i];
      spare[i] = 0;
    }
  }

  const Lanes& lanes_;
  std::size_t n_cells_, n_channels_;
  // Of each thread, for lanes that are not its own; zero between calls.
  mutable std::vector<Cells> spare_cells_;
};

}  // namespace frugalboost
