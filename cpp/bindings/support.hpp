// What the binding files share: array types, shape checks, listening for Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/array_pool.hpp"
#include "core/base/types.hpp"

namespace frugalboost {

// nanobind with one guard of our own in place of its.
namespace nb {

using namespace nanobind;

// Goes without the GIL for a while. While the interpreter ends, Pythons up to 3.13 end a daemon
// thread that asks for the GIL by unwinding its stack. No destructor and no function of nanobind
// lets that through: the process would abort. So the thread waits here until the process has ended,
// as it does in later ones.
class gil_scoped_release {
 public:
  gil_scoped_release() noexcept : state_(PyEval_SaveThread()) {}
  gil_scoped_release(const gil_scoped_release&) = delete;
  gil_scoped_release& operator=(const gil_scoped_release&) = delete;
  ~gil_scoped_release() {
    try {
      PyEval_RestoreThread(state_);
    } catch (...) {
      for (;;) pause();
    }
  }

 private:
  PyThreadState* state_;
};

}  // namespace nb

template <class T, int Dimensions>
using Array = nb::ndarray<const T, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;

inline void require(bool holds, const char* message) {
  if (!holds) throw nb::value_error(message);
}

// Something for Python to keep; freed as well where Python has no memory for the capsule.
template <class T>
nb::capsule capsule_of(std::unique_ptr<T> owned) {
  nb::capsule capsule(owned.get(), [](void* p) noexcept { delete static_cast<T*>(p); });
  owned.release();
  return capsule;
}

// Hands a vector to NumPy without copying.
template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T> values,
                                   std::initializer_list<std::size_t> shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  return nb::ndarray<nb::numpy, T>(data, shape, capsule_of(std::move(owned)));
}

// An array that NumPy owns, with whatever is in its memory: to be filled in.
template <class T>
nb::ndarray<nb::numpy, T> fresh(std::initializer_list<std::size_t> shape) {
  std::size_t size = 1;
  for (std::size_t extent : shape) size *= extent;
  auto piece = std::make_unique<Piece>(size * sizeof(T));
  void* memory = piece->memory();
  return nb::ndarray<nb::numpy, T>(memory, shape, capsule_of(std::move(piece)));
}

// Whether the calling thread is the one that hears signals.
bool is_main_thread();

// Asks Python for pending signals a few times a second. The kernels run without the GIL, so it is
// taken only for the question. Threads that hear no signals do not ask, and must not: while the
// interpreter ends, a daemon thread that wants the GIL is ended, too.
inline Poll signal_poll() {
  if (!is_main_thread()) return [] {};
  using Clock = std::chrono::steady_clock;
  return [last = Clock::now()]() mutable {
    const auto now = Clock::now();
    if (now - last < std::chrono::milliseconds(100)) return;
    last = now;
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  };
}

}  // namespace frugalboost
