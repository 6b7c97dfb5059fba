// How many threads this process may use, and which of them hears signals. The core takes the number
// that it is given; who gives it asks here.
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "bindings/support.hpp"

namespace {

std::atomic<int> limit{0};  // 0: none

// Those that the calling thread may run on, where the system can tell. The standard library's
// number may be that of the machine, and is read from files, which takes longer than to predict.
int n_processors() {
#ifdef __linux__
  cpu_set_t mine;
  if (sched_getaffinity(0, sizeof mine, &mine) == 0) return CPU_COUNT(&mine);
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// To ask Python each time would be felt in the prediction of a row.
unsigned long main_thread = 0;

void find_main_thread() {
  const auto found = nanobind::module_::import_("threading").attr("main_thread")();
  main_thread = nanobind::cast<unsigned long>(found.attr("ident"));
  // The thread that forks is the child's main thread.
  pthread_atfork(nullptr, nullptr, [] { main_thread = PyThread_get_thread_ident(); });
}

}  // namespace

bool frugalboost::is_main_thread() { return PyThread_get_thread_ident() == main_thread; }

// threadpoolctl finds these by their names in the library.
#define FRUGALBOOST_EXPORT extern "C" __attribute__((visibility("default"), used))

FRUGALBOOST_EXPORT int frugalboost_get_num_threads() {
  const int most = limit.load();
  return most > 0 ? most : n_processors();
}

// A limit beyond the processors of this thread is kept: others may have more, and this one later.
FRUGALBOOST_EXPORT void frugalboost_set_num_threads(int n_threads) {
  limit.store(std::max(0, n_threads));
}

void bind_threads(nanobind::module_& module) {
  find_main_thread();
  module.def("max_threads", frugalboost_get_num_threads);
  module.def("limit_threads", frugalboost_set_num_threads);
  module.def("is_limited", [] { return limit.load() > 0; });
}
