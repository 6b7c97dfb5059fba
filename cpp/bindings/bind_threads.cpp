#include <thread>

#include "bindings/support.hpp"

void bind_threads(nanobind::module_& module) {
  module.def("max_threads", [] { return std::max(1u, std::thread::hardware_concurrency()); });
}
