// A team of threads that is there before it is needed.
//
// Threads are started once and wait: awake for a millisecond, in which the next loop
// of a tree usually comes, and then asleep, so that an idle library takes no time from others. Each
// thread that calls the library has a team of its own. A forked process starts with none, and makes
// its own when it needs them. Signals do not reach workers.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

namespace frugalboost {

// Refers to a callable body(thread, n_team) that outlives the call it is made for.
class TeamBody {
 public:
  template <class Body>
  explicit TeamBody(Body& body)
      : body_(const_cast<void*>(static_cast<const void*>(&body))),
        call_([](void* self, int thread, int n_team) {
          (*static_cast<std::remove_reference_t<Body>*>(self))(thread, n_team);
        }) {}
  void operator()(int thread, int n_team) const { call_(body_, thread, n_team); }

 private:
  void* body_;
  void (*call_)(void*, int, int);
};

// Calls body(thread, n_team) for each thread of a team, the caller being thread 0. Bodies must not
// wait for each other: the caller, once it has done its own part, does those of threads that have
// not begun, under their numbers. So a loop takes no longer than on one thread where other programs
// have the processors, or where it is over before a thread is awake.
//
// The team is as large as asked for unless the system gives fewer threads, or the caller is itself
// one of a team at work: then it is the caller alone. For a caller and an n_threads it has the same
// size in every loop. One of the exceptions of bodies is thrown again once all are done.
void run_team(int n_threads, TeamBody body);

// Number of the calling thread in the team that it works for, the outermost one where a body calls
// for a team of its own; 0 outside of any.
int this_thread();

// Whether the caller is one of a team at work: the loops that it calls for then run on it alone.
bool is_in_team();

// How often this process and those it comes from have been forked since the library was loaded.
std::uint64_t fork_count();

}  // namespace frugalboost
