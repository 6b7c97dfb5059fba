#include "bindings/support.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

void bind_threads(nanobind::module_& module) {
  // What OMP_NUM_THREADS, threadpoolctl or a joblib worker leave to the calling thread.
  module.def("max_threads", [] {
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
  });
}
