#include "core/threads/team.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace frugalboost {
namespace {

using Clock = std::chrono::steady_clock;

// How long a thread waits awake. A loop of a tree follows the last one within microseconds, a tree
// the last one within a few hundred; in between others may have the processor if they ask for it.
constexpr auto awake_alone = std::chrono::microseconds(20);
constexpr auto awake = std::chrono::microseconds(300);

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Waits awake until is_done() holds or it has taken too long; returns whether it holds.
template <class IsDone>
bool wait_awake(IsDone&& is_done) {
  constexpr int looks = 64;  // between two looks at the clock, which cost more
  Clock::time_point begin{};
  for (bool is_first = true;; is_first = false) {
    for (int look = 0; look < looks; ++look) {
      if (is_done()) return true;
      pause_briefly();
    }
    const Clock::time_point now = Clock::now();
    if (is_first) begin = now;
    if (now - begin > awake) return is_done();
    if (now - begin > awake_alone) sched_yield();
  }
}

thread_local int number_of_thread = 0;
thread_local bool is_at_work = false;

class Team {
 public:
  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  void run(int n_threads, const TeamBody& body) {
    const int n_team = 1 + enlist(n_threads - 1);
    body_ = &body;
    is_failed_.store(false, std::memory_order_relaxed);
    n_pending_.store(n_team - 1, std::memory_order_relaxed);
    // What a worker sees tells it both that there is work and whether it takes part: one that does
    // not may sleep through any number of loops.
    const std::uint64_t order = ((orders_.load(std::memory_order_relaxed) >> 16) + 1) << 16 |
                                static_cast<std::uint64_t>(n_team);
    orders_.store(order);
    if (n_asleep_.load() > 0) {
      const std::lock_guard<std::mutex> lock(mutex_);
      begins_.notify_all();
    }
    work(0, n_team);
    wait_for_workers();
    if (is_failed_.load(std::memory_order_acquire))
      std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  // Starts workers until there are `n`, or as many as the system allows; returns their number.
  int enlist(int n) {
    try {
      for (; n_workers_ < n; ++n_workers_)
        std::thread([this, thread = n_workers_ + 1] { serve(thread); }).detach();
    } catch (const std::system_error&) {
    }
    return std::min(n, n_workers_);
  }

  void serve(int thread) {
    is_at_work = true;  // whatever a worker calls runs on it alone
    std::uint64_t seen = 0;
    for (;;) {
      seen = next_order(seen);
      const int n_team = static_cast<int>(seen & 0xffff);
      if (thread >= n_team) continue;
      work(thread, n_team);
      if (n_pending_.fetch_sub(1) == 1 && is_waited_for_.load()) {
        const std::lock_guard<std::mutex> lock(mutex_);
        ends_.notify_one();
      }
    }
  }

  std::uint64_t next_order(std::uint64_t seen) {
    if (wait_awake([&] { return orders_.load(std::memory_order_acquire) != seen; }))
      return orders_.load(std::memory_order_acquire);
    std::unique_lock<std::mutex> lock(mutex_);
    ++n_asleep_;  // before the last look: who gives an order looks at it after giving it
    begins_.wait(lock, [&] { return orders_.load() != seen; });
    --n_asleep_;
    return orders_.load();
  }

  void work(int thread, int n_team) {
    number_of_thread = thread;
    try {
      (*body_)(thread, n_team);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!is_failed_.load(std::memory_order_relaxed)) failure_ = std::current_exception();
      is_failed_.store(true, std::memory_order_release);
    }
  }

  void wait_for_workers() {
    const auto is_done = [&] { return n_pending_.load(std::memory_order_acquire) == 0; };
    if (wait_awake(is_done)) return;
    std::unique_lock<std::mutex> lock(mutex_);
    is_waited_for_.store(true);
    ends_.wait(lock, [&] { return n_pending_.load() == 0; });
    is_waited_for_.store(false);
  }

  // What workers look at while they wait lies apart from what they write.
  alignas(128) std::atomic<std::uint64_t> orders_{0};  // count, then the size of the team
  const TeamBody* body_ = nullptr;
  alignas(128) std::atomic<int> n_pending_{0};
  std::atomic<bool> is_failed_{false}, is_waited_for_{false};
  std::atomic<int> n_asleep_{0};
  std::mutex mutex_;
  std::condition_variable begins_, ends_;
  std::exception_ptr failure_;
  int n_workers_ = 0;
};

// Teams of threads that have ended, for the next ones. Neither is ever destroyed: workers may be
// waiting in a team while the process ends.
struct Bench {
  std::mutex mutex;
  std::vector<Team*> idle;
};

std::atomic<Bench*> bench{nullptr};
std::atomic<std::uint64_t> n_forks{0};

// Threads do not survive a fork, and locks may be held for ever: a child starts with nothing.
void start_afresh() {
  bench.store(new Bench);
  n_forks.fetch_add(1);
  is_at_work = false;
  number_of_thread = 0;
}

Bench& the_bench() {
  static const bool is_made = [] {
    bench.store(new Bench);
    pthread_atfork(nullptr, nullptr, start_afresh);
    return true;
  }();
  static_cast<void>(is_made);
  return *bench.load();
}

class Lease {
 public:
  Lease() = default;
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() {
    if (team_ == nullptr || forks_ != n_forks.load()) return;
    Bench& bench = the_bench();
    const std::lock_guard<std::mutex> lock(bench.mutex);
    try {
      bench.idle.push_back(team_);
    } catch (...) {  // for want of memory: its threads sleep on
    }
  }

  Team& team() {
    Bench& bench = the_bench();
    if (team_ != nullptr && forks_ == n_forks.load()) return *team_;
    const std::lock_guard<std::mutex> lock(bench.mutex);
    if (bench.idle.empty()) {
      team_ = new Team;
    } else {
      team_ = bench.idle.back();
      bench.idle.pop_back();
    }
    forks_ = n_forks.load();
    return *team_;
  }

 private:
  Team* team_ = nullptr;
  std::uint64_t forks_ = 0;
};

thread_local Lease lease;

struct AtWork {
  AtWork() { is_at_work = true; }
  ~AtWork() { is_at_work = false, number_of_thread = 0; }
};

}  // namespace

int this_thread() { return number_of_thread; }

void run_team(int n_threads, TeamBody body) {
  constexpr int most_threads = 0xffff;
  if (n_threads <= 1 || is_at_work) return body(0, 1);
  Team& team = lease.team();
  const AtWork guard;
  team.run(std::min(n_threads, most_threads), body);
}

}  // namespace frugalboost
