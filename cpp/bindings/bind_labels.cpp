// Binding of core/binning/label_codes.hpp.
#include <cstdint>
#include <type_traits>

#include "bindings/matrix_view.hpp"
#include "bindings/support.hpp"
#include "core/binning/label_codes.hpp"

namespace frugalboost {
namespace {

using AnyVector = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Code, class T>
nb::object write_codes(const LabelCodes<T>& found, std::size_t n) {
  auto codes = fresh<Code>({n});
  {
    nb::gil_scoped_release release;
    found.write(codes.data());
  }
  return nb::cast(codes);
}

// The lowest label, how much the classes exceed it, and the code of each label, in as few bytes as
// hold it; None where labels lie too far apart.
template <class T>
nb::object encode_labels(const T* labels, std::size_t n, int n_threads) {
  const LabelCodes<T> found = [&] {
    nb::gil_scoped_release release;
    return LabelCodes<T>(labels, n, n_threads);
  }();
  if (!found.is_narrow()) return nb::none();
  const std::size_t n_classes = found.offsets().size();
  nb::object codes = n_classes <= 128     ? write_codes<std::int8_t>(found, n)
                     : n_classes <= 32768 ? write_codes<std::int16_t>(found, n)
                                          : write_codes<std::int32_t>(found, n);
  return nb::make_tuple(found.low(), to_numpy(found.offsets(), {n_classes}), codes);
}

nb::object encode_integers(const AnyVector& labels, int n_threads) {
  require(labels.shape(0) > 0, "labels must not be empty");
  require(n_threads >= 1, "n_threads must be at least 1");
  nb::object found;
  with_type(scalar_of(labels.dtype()), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      found = encode_labels(static_cast<const T*>(labels.data()), labels.shape(0), n_threads);
    } else {
      throw nb::type_error("labels must be integers or booleans");
    }
  });
  return found;
}

}  // namespace
}  // namespace frugalboost

void bind_labels(nanobind::module_& module) {
  using nanobind::literals::operator""_a;
  module.def("encode_integers", &frugalboost::encode_integers, "labels"_a, "n_threads"_a);
}
