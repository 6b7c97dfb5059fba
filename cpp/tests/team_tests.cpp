// The team of threads itself: every thread works once, whatever came before.
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <new>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/columns/columns.hpp"
#include "core/threads/parallel.hpp"
#include "tests/check.hpp"
#include "tests/scarce_memory.hpp"

namespace frugalboost::testing {
namespace {

// Longer than threads wait awake: the next loop has to wake them.
void let_them_sleep() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

// Whether a loop calls every thread of a team once, and all of them hear of the same team.
bool is_whole(int n_threads) {
  std::vector<int> calls(n_threads, 0);
  std::vector<int> sizes(n_threads, n_threads);
  std::vector<int> numbers(n_threads, -1);
  parallel_team(n_threads, [&](int thread, int n_team) {
    ++calls[thread];
    sizes[thread] = n_team;
    numbers[thread] = this_thread();
  });
  bool whole = this_thread() == 0;
  for (int thread = 0; thread < n_threads; ++thread)
    whole &= calls[thread] == 1 && sizes[thread] == n_threads && numbers[thread] == thread;
  return whole;
}

// All threads of a team, none of which can do the part of another: each begins before one goes on.
// The one place that breaks the rule, and therefore gives up after a while.
template <class Act>
bool all_at_once(int n_threads, Act&& act) {
  std::atomic<int> n_begun{0};
  parallel_team(n_threads, [&](int thread, int) {
    ++n_begun;
    const auto begin = std::chrono::steady_clock::now();
    while (n_begun < n_threads &&
           std::chrono::steady_clock::now() - begin < std::chrono::seconds(20))
      std::this_thread::yield();
    act(thread);
  });
  return n_begun == n_threads;
}

// Loops at once, after a pause, for more threads than before and for fewer.
void test_sizes() {
  bool whole = true;
  for (int n_threads : {1, 2, 4, 3, 7, 2, 4, 1, 7})
    for (int repeat = 0; repeat < 50; ++repeat) whole &= is_whole(n_threads);
  check(whole, "every thread works once");
  for (int n_threads : {4, 2, 7, 3, 4}) {
    let_them_sleep();
    whole &= is_whole(n_threads);
  }
  check(whole && all_at_once(7, [](int) {}), "threads that sleep are woken");
}

// The caller sleeps, too, if it has to wait for those that have begun.
void test_slow_workers() {
  std::atomic<int> n_done{0};
  all_at_once(3, [&](int thread) {
    if (thread > 0) let_them_sleep();
    ++n_done;
  });
  check(n_done == 3, "a loop ends after its slowest thread");
}

// The caller does the part of a thread that does not begin, and the thread misses the loop only.
void test_late_workers() {
  bool whole = true;
  for (int repeat = 0; repeat < 2000; ++repeat) {
    if (repeat % 500 == 0) let_them_sleep();
    whole &= is_whole(2 + repeat % 6);
  }
  check(whole, "every part is done once, by whomever");
}

void test_each() {
  for (std::size_t n : {0, 1, 3, 1000}) {
    std::vector<int> calls(n, 0);
    parallel_each(n, 4, [&](std::size_t i) { ++calls[i]; });
    check(calls == std::vector<int>(n, 1), "every number has its turn");
  }
  for (std::size_t n_slices : {1, 2, 4, 9}) {
    std::vector<int> calls(1001, 0);
    parallel_slices(calls.size(), n_slices, [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++calls[i];
    });
    check(calls == std::vector<int>(calls.size(), 1), "slices hold every number once");
    for (int n_threads : {1, 2, 4}) {
      std::vector<int> shared(1001, 0);
      parallel_shared_slices(shared.size(), n_slices, n_threads,
                             [&](std::size_t, std::size_t begin, std::size_t end) {
                               for (std::size_t i = begin; i < end; ++i) ++shared[i];
                             });
      check(shared == std::vector<int>(shared.size(), 1), "shared slices hold every number once");
    }
  }
}

void test_worth_of_shares() {
  constexpr std::size_t fewest = 4096, many = std::size_t{1} << 20;
  check(shared_slices_worth(many, fewest, 1) == 1, "a thread alone does all at once");
  check(shared_slices_worth(many, fewest, 4) == 16, "a long loop is shared");
  check(shared_slices_worth(many, fewest, 4, many / 4) == 4, "many pieces are not");
  check(shared_slices_worth(4 * fewest, fewest, 4) == 4, "a short loop is not");
}

// More threads than there are shares of slices.
void test_many_shares() {
  std::vector<int> calls(1001, 0);
  parallel_shared_slices(calls.size(), 280, 70,
                         [&](std::size_t, std::size_t begin, std::size_t end) {
                           for (std::size_t i = begin; i < end; ++i) ++calls[i];
                         });
  check(calls == std::vector<int>(calls.size(), 1),
        "shares of many threads hold every number once");
}

void test_exception_in_a_share() {
  bool is_thrown = false;
  try {
    parallel_shared_slices(16, 16, 4, [](std::size_t slice, std::size_t, std::size_t) {
      if (slice == 9) throw std::runtime_error("no");
    });
  } catch (const std::runtime_error&) {
    is_thrown = true;
  }
  check(is_thrown, "an exception comes out of a shared loop");
}

// The first slice of thread 1 takes long; those behind it are done by others meanwhile.
void test_shares() {
  constexpr std::size_t n_slices = 8;
  std::atomic<std::size_t> n_others{0};
  const bool is_helped = [&] {
    bool helped = false;
    parallel_shared_slices(n_slices, n_slices, 2, [&](std::size_t slice, std::size_t, std::size_t) {
      if (slice != n_slices / 2) return void(++n_others);
      const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
      while (n_others < n_slices - 1 && std::chrono::steady_clock::now() < until)
        std::this_thread::yield();
      helped = n_others == n_slices - 1;
    });
    return helped;
  }();
  check(is_helped, "slices of a thread that is held up are done by others");
}

// What the thread `thrower` of four throws comes out of the loop; 0 is the caller.
template <class Exception>
bool comes_out(int thrower, const Exception& thrown) {
  try {
    all_at_once(4, [&](int thread) {
      if (thread == thrower) throw thrown;
    });
  } catch (const Exception& caught) {
    return std::string(caught.what()) == thrown.what();
  }
  return false;
}

void test_exceptions() {
  for (int thrower : {0, 1, 3}) {
    check(comes_out(thrower, std::runtime_error("no")), "an exception comes out");
    check(comes_out(thrower, std::bad_alloc()), "want of memory comes out");
    check(is_whole(4), "a team works on after an exception");
  }
  int n_caught = 0;
  for (int repeat = 0; repeat < 100; ++repeat) {
    try {
      parallel_team(4, [](int, int) { throw std::runtime_error("all"); });
    } catch (const std::runtime_error&) {
      ++n_caught;
    }
  }
  check(n_caught == 100, "of many exceptions one comes out");
  std::atomic<int> n_begun{0};
  try {
    parallel_each(1'000'000, 4, [&](std::size_t) {
      ++n_begun;
      throw std::runtime_error("first");
    });
  } catch (const std::runtime_error&) {
  }
  check(1 <= n_begun && n_begun <= 4, "after an exception nothing more begins");
}

// A body that asks for a team is one: its own thread, with the number that it had.
void test_nested() {
  std::vector<int> inner_calls(4, 0), inner_sizes(4, 0), numbers(4, -1);
  parallel_team(4, [&](int outer, int) {
    parallel_team(3, [&](int, int n_team) {
      ++inner_calls[outer];
      inner_sizes[outer] = n_team;
      numbers[outer] = this_thread();
    });
  });
  check(inner_calls == std::vector<int>(4, 1) && inner_sizes == inner_calls,
        "a loop in a loop has one thread");
  check(numbers == std::vector<int>({0, 1, 2, 3}), "scratch stays the thread's own");
  bool is_caught = false;
  try {
    parallel_team(
        2, [](int, int) { parallel_team(2, [](int, int) { throw std::runtime_error("inner"); }); });
  } catch (const std::runtime_error&) {
    is_caught = true;
  }
  check(is_caught && is_whole(4), "an exception comes out of both loops");
}

// Each caller has a team; that of a caller that has ended goes to the next.
void test_callers() {
  std::atomic<int> n_wrong{0};
  const auto call = [&] {
    for (int repeat = 0; repeat < 200; ++repeat) n_wrong += !is_whole(1 + repeat % 4);
  };
  for (int generation = 0; generation < 3; ++generation) {
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 4; ++caller) callers.emplace_back(call);
    for (std::thread& caller : callers) caller.join();
  }
  check(n_wrong == 0, "callers do not disturb each other");
}

std::set<pthread_t> workers_of_this_thread() {
  std::vector<pthread_t> found(3);
  all_at_once(3, [&](int thread) { found[thread] = pthread_self(); });
  return {found.begin() + 1, found.end()};
}

void test_teams_are_used_again() {
  std::set<pthread_t> first, second;
  std::thread([&] { first = workers_of_this_thread(); }).join();
  std::thread([&] { second = workers_of_this_thread(); }).join();
  check(first == second, "the team of a thread that has ended serves the next one");
}

// The mask of the caller stays as it is.
void test_signals() {
  const auto blocks = [](int signal) {
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    return sigismember(&mask, signal) == 1;
  };
  std::vector<int> blocked(4, -1);
  std::thread([&] {
    all_at_once(4, [&](int thread) { blocked[thread] = blocks(SIGINT) + blocks(SIGTERM); });
  }).join();
  check(blocked == std::vector<int>({0, 2, 2, 2}), "signals are for the caller");
}

#ifdef __SANITIZE_THREAD__
constexpr bool may_fork = false;  // it does not know of threads that are started after a fork
#else
constexpr bool may_fork = true;
#endif

// What `act` returns in a forked process; it is ended if it does not come to an end.
template <class Act>
bool holds_in_child(Act&& act) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(act() ? 0 : 1);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

// In a child, whose first team this is.
void test_teams_without_memory() {
  const auto is_used_again = [] {
    std::set<pthread_t> first, second;
    std::optional<Shortage> shortage;
    std::thread([&] {
      first = workers_of_this_thread();
      shortage.emplace(1, true);  // while the thread ends
    }).join();
    shortage.reset();
    std::thread([&] { second = workers_of_this_thread(); }).join();
    return first == second;
  };
  check(holds_in_child(is_used_again), "a team is not lost where its caller ends without memory");
}

void test_forks() {
  const auto has_four_threads = [] { return all_at_once(4, [](int) {}) && is_whole(2); };
  check(has_four_threads() && holds_in_child(has_four_threads), "a child has its own team");
  check(holds_in_child([] { return holds_in_child([] { return is_whole(3); }); }),
        "its child, too");
  std::atomic<bool> is_over{false};
  // Without memory of its own: the address sanitizer's locks, unlike the system's, stay shut in a
  // child if a thread was just asking for some.
  std::thread busy([&] {
    while (!is_over) parallel_team(4, [](int, int) {});
  });
  bool holds = true;
  for (int repeat = 0; repeat < 20; ++repeat) {
    holds &= holds_in_child([] {
      bool whole = is_whole(4);
      std::thread([&] { whole &= is_whole(4); }).join();
      return whole;
    });
  }
  is_over = true;
  busy.join();
  check(holds, "a fork in the middle of another thread's loop does no harm");
  check(is_whole(4), "the parent's team is as it was");
}

void test_fork_while_a_value_is_made() {
  MadeOnce<int> once;
  const auto two = [&] { return once.get([] { return std::make_unique<int>(2); }) == 2; };
  bool holds = false;
  once.get([&] {
    holds = holds_in_child(two);
    return std::make_unique<int>(1);
  });
  check(holds, "a child makes what was in the making when it was forked");
  check(once.get([] { return std::make_unique<int>(3); }) == 1, "and the parent its own, once");
}

// Whether this process, which must be one of no importance, can be denied further threads.
bool deny_threads() {
  constexpr uid_t nobody = 65534;  // limits do not hold for root
  if (geteuid() == 0 && setuid(nobody) != 0) return false;
  const rlimit none{0, 0};
  return setrlimit(RLIMIT_NPROC, &none) == 0;
}

void test_refused_threads() {
  const auto goes_on_alone = [] {
    if (!deny_threads()) return true;
    int n_calls = 0, size = 0;
    for (int repeat = 0; repeat < 3; ++repeat) {
      parallel_team(4, [&](int, int n_team) { ++n_calls, size = n_team; });
      std::vector<int> calls(100, 0);
      parallel_each(calls.size(), 4, [&](std::size_t i) { ++calls[i]; });
      if (calls != std::vector<int>(100, 1)) return false;
    }
    return n_calls == 3 && size == 1;
  };
  check(holds_in_child(goes_on_alone), "without threads the caller works alone");
  const auto goes_on_with_two = [] {
    if (!is_whole(2) || !deny_threads()) return true;
    std::atomic<int> n_calls{0}, size{0};
    parallel_team(4, [&](int, int n_team) { ++n_calls, size = n_team; });
    return n_calls == 2 && size == 2;
  };
  check(holds_in_child(goes_on_with_two), "threads that are there work on");
}

}  // namespace

void test_team() {
  test_sizes();
  test_slow_workers();
  test_late_workers();
  test_each();
  test_shares();
  test_worth_of_shares();
  test_many_shares();
  test_exception_in_a_share();
  test_exceptions();
  test_nested();
  test_callers();
  test_teams_are_used_again();
  test_signals();
  if (may_fork) test_teams_without_memory();
  if (may_fork) test_forks();
  if (may_fork) test_fork_while_a_value_is_made();
  if (may_fork) test_refused_threads();
}

}  // namespace frugalboost::testing
