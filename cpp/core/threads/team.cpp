#include "core/threads/team.hpp"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace frugalboost {
namespace {

using Clock = std::chrono::steady_clock;

// How long a thread waits awake. A loop of a tree follows the last one within microseconds, a tree
// the last one within a millisecond; in between others may have the processor if they ask for it.
constexpr auto awake_alone = std::chrono::microseconds(20);
constexpr auto awake = std::chrono::microseconds(1000);

// What a worker calls needs a few kilobytes. The system's own choice is 8 MiB on one and 128 KiB on
// another, and counts against a limit of memory.
constexpr std::size_t stack_bytes = std::size_t{1} << 20;

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

// Otherwise a library's variables of a thread are made when it first asks for them, and where there
// is no memory for that, glibc ends the process. These few bytes are there with the thread.
#if defined(__linux__)
#define FRUGALBOOST_THERE_WITH_THREAD __attribute__((tls_model("initial-exec")))
#else
#define FRUGALBOOST_THERE_WITH_THREAD
#endif

FRUGALBOOST_THERE_WITH_THREAD thread_local int number_of_thread = 0;
FRUGALBOOST_THERE_WITH_THREAD thread_local bool is_at_work = false;

// An order is one number, so that a worker sees at once that it is new and whether it takes part:
// how many there have been, then the size of the team.
constexpr int size_bits = 16;
constexpr int most_threads = (1 << size_bits) - 1;

std::uint64_t order_after(std::uint64_t last, int n_team) {
  return ((last >> size_bits) + 1) << size_bits | static_cast<std::uint64_t>(n_team);
}

int team_size(std::uint64_t order) { return static_cast<int>(order & most_threads); }

// Where one thread sleeps. Each has a place of its own: a loop for two threads must not wake sixty.
class Bed {
 public:
  // Sleeps until is_done() holds; what it reads must be written before wake() is called.
  template <class IsDone>
  void sleep_until(IsDone&& is_done) {
    std::unique_lock<std::mutex> lock(mutex_);
    is_used_.store(true);  // before the last look: who calls wake() looks here afterwards
    rung_.wait(lock, is_done);
    is_used_.store(false);
  }

  void wake() {
    if (!is_used_.load()) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    rung_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable rung_;
  std::atomic<bool> is_used_{false};
};

class Team;

// What a new thread is told; it lives as long as the team, that is for ever.
struct alignas(128) Worker {
  Worker(Team& its_team, int number) : team(its_team), thread(number) {}

  // Takes on its part of an order; returns whether nobody else has. While it is not taken the
  // caller is still in the loop, so whoever has taken it may look at the body.
  bool take(std::uint64_t order) {
    std::uint64_t last = taken.load();
    return last < order && taken.compare_exchange_strong(last, order);
  }

  Team& team;
  int thread;
  std::atomic<std::uint64_t> taken{0};  // the last order whose part was
  std::atomic<bool> is_ready{false};    // it has all that a thread needs for exceptions
  Bed bed;
};

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
    const std::uint64_t order = order_after(order_.load(std::memory_order_relaxed), n_team);
    order_.store(order);
    for (int thread = 1; thread < n_team; ++thread) workers_[thread - 1]->bed.wake();
    work(0, n_team);
    work_for_late_ones(order);
    wait_for_workers();
    if (is_failed_.load(std::memory_order_relaxed))
      std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  // The life of a worker.
  [[noreturn]] void serve(Worker& worker) {
    is_at_work = true;  // whatever a worker calls runs on it alone
    for (std::uint64_t done = 0;;) {
      done = next_order(worker, done);
      if (!worker.take(done)) continue;  // too late
      work(worker.thread, team_size(done));
      if (n_pending_.fetch_sub(1) == 1) caller_bed_.wake();
    }
  }

 private:
  // Starts workers until there are `n`, or as many as the system allows; returns their number. It
  // is asked no more once it has refused: that would take longer than many loops, and a loop that
  // goes on with what each thread of the last one left must find as many threads.
  int enlist(int n) {
    while (!is_refused_ && n_workers() < n) is_refused_ = !start_worker();
    return std::min(n, n_workers());
  }

  int n_workers() const { return static_cast<int>(workers_.size()); }

  bool start_worker();

  // Waits for an order with work for this worker. Those for smaller teams neither wake it nor keep
  // it awake.
  std::uint64_t next_order(Worker& worker, std::uint64_t done) {
    std::uint64_t order = done;
    const auto is_mine = [&] {
      order = order_.load();
      return order != done && worker.thread < team_size(order);
    };
    if (!wait_awake(is_mine)) worker.bed.sleep_until(is_mine);
    return order;
  }

  void work(int thread, int n_team) {
    number_of_thread = thread;
    try {
      (*body_)(thread, n_team);
    } catch (...) {
      if (!is_failed_.exchange(true, std::memory_order_relaxed))
        failure_ = std::current_exception();
    }
  }

  // A worker that has not begun may have lost its processor to another program for milliseconds,
  // in which the caller does many such parts. The last ones were the last to be woken.
  void work_for_late_ones(std::uint64_t order) {
    for (int thread = team_size(order) - 1; thread > 0; --thread) {
      if (!workers_[thread - 1]->take(order)) continue;
      work(thread, team_size(order));
      n_pending_.fetch_sub(1);
    }
  }

  void wait_for_workers() {
    const auto is_done = [&] { return n_pending_.load() == 0; };
    if (!wait_awake(is_done)) caller_bed_.sleep_until(is_done);
  }

  // What workers look at while they wait lies apart from what they write.
  alignas(128) std::atomic<std::uint64_t> order_{0};
  const TeamBody* body_ = nullptr;
  alignas(128) std::atomic<int> n_pending_{0};
  std::atomic<bool> is_failed_{false};
  std::exception_ptr failure_;
  Bed caller_bed_;
  // Only the caller's: changed between loops.
  alignas(128) std::vector<std::unique_ptr<Worker>> workers_;
  bool is_refused_ = false;
};

void* begin_to_serve(void* given) {
  Worker& worker = *static_cast<Worker*>(given);
  // The C++ library's variables of a thread are made at its first exception, and where there is no
  // memory left for that, glibc ends the process: so they are made now.
  [[maybe_unused]] volatile int n = std::uncaught_exceptions();  // a pure call must be used
  worker.is_ready.store(true);
  worker.team.serve(worker);
}

// Blocks signals for a while. A thread inherits that: signals are for the threads of the program,
// and Ctrl-C for the one that can tell Python of it.
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

bool start_thread(Worker& worker) {
  const WithoutSignals guard;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, begin_to_serve, &worker);
  pthread_attr_destroy(&attributes);
  return error == 0;
}

bool Team::start_worker() try {
  workers_.push_back(std::make_unique<Worker>(*this, n_workers() + 1));
  Worker& worker = *workers_.back();
  // What a thread makes for itself when it begins must find room: see begin_to_serve.
  constexpr std::size_t room_of_thread = std::size_t{1} << 16;
  auto room = std::make_unique<char[]>(room_of_thread);
  const bool is_started = start_thread(worker);
  room.reset();
  if (!is_started) workers_.pop_back();
  while (is_started && !worker.is_ready.load()) sched_yield();
  return is_started;
} catch (const std::bad_alloc&) {
  if (n_workers() > 0 && !workers_.back()->is_ready.load()) workers_.pop_back();
  return false;
}

// Teams of threads that have ended, for the next ones. Neither is ever destroyed: workers may be
// waiting in a team while the process ends.
struct Bench {
  std::mutex mutex;
  std::vector<Team*> idle;  // with room for all teams, so that one can always come back
  std::size_t n_teams = 0;
};

std::atomic<Bench*> bench{nullptr};
std::atomic<std::uint64_t> n_forks{0};

// Threads do not survive a fork, and locks may be held for ever: a child starts with nothing.
void start_afresh() {
  bench.store(nullptr);
  n_forks.fetch_add(1);
  is_at_work = false;
  number_of_thread = 0;
}

// When the library is loaded: no thread can be in the middle of it while another one forks.
[[maybe_unused]] const int is_told_of_forks = pthread_atfork(nullptr, nullptr, start_afresh);

Bench& the_bench() {
  Bench* found = bench.load();
  if (found != nullptr) return *found;
  auto made = std::make_unique<Bench>();
  // Another thread may have been faster; then `found` is its bench.
  return bench.compare_exchange_strong(found, made.get()) ? *made.release() : *found;
}

// The calling thread's team, which goes to the bench when the thread ends.
class Lease {
 public:
  Lease() = default;
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() {
    if (!is_valid()) return;
    Bench& bench = the_bench();
    const std::lock_guard<std::mutex> lock(bench.mutex);
    bench.idle.push_back(team_);
  }

  Team& team() {
    if (!is_valid()) take();
    return *team_;
  }

 private:
  bool is_valid() const { return team_ != nullptr && forks_ == n_forks.load(); }

  void take() {
    Bench& bench = the_bench();
    const std::lock_guard<std::mutex> lock(bench.mutex);
    if (bench.idle.empty()) {
      bench.idle.reserve(bench.n_teams + 1);
      team_ = new Team;
      ++bench.n_teams;
    } else {
      team_ = bench.idle.back();
      bench.idle.pop_back();
    }
    forks_ = n_forks.load();
  }

  Team* team_ = nullptr;
  std::uint64_t forks_ = 0;
};

FRUGALBOOST_THERE_WITH_THREAD thread_local Lease lease;

struct AtWork {
  AtWork() { is_at_work = true; }
  ~AtWork() { is_at_work = false, number_of_thread = 0; }
};

}  // namespace

int this_thread() { return number_of_thread; }

bool is_in_team() { return is_at_work; }

std::uint64_t fork_count() { return n_forks.load(); }

void run_team(int n_threads, TeamBody body) {
  if (n_threads <= 1 || is_at_work) return body(0, 1);
  Team& team = lease.team();
  const AtWork guard;
  team.run(std::min(n_threads, most_threads), body);
}

}  // namespace frugalboost
