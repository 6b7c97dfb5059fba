// Labels and weights of examples as the core keeps looking at them, in arrays of NumPy's.
#pragma once

#include "bindings/row_checks.hpp"

namespace frugalboost {

// Labels are bytes for two classes.
class ClassLabels {
 public:
  ClassLabels(const nb::object& labels, int n_classes) : n_classes_(n_classes) {
    require(n_classes >= 2, "n_classes must be at least 2");
    if (n_classes == 2)
      bytes_ = nb::cast<Array<std::uint8_t, 1>>(labels);
    else
      numbers_ = nb::cast<Array<Row, 1>>(labels);
  }

  std::size_t size() const { return n_classes_ == 2 ? bytes_.shape(0) : numbers_.shape(0); }
  int n_classes() const { return n_classes_; }

  void check(int n_threads) const {
    if (n_classes_ == 2)
      check_labels(bytes_.data(), size(), 2, n_threads);
    else
      check_labels(numbers_.data(), size(), static_cast<std::size_t>(n_classes_), n_threads);
  }

  const std::uint8_t* bytes() const { return bytes_.data(); }  // of two classes
  const Row* numbers() const { return numbers_.data(); }       // of more

 private:
  int n_classes_;
  Array<std::uint8_t, 1> bytes_;  // either these
  Array<Row, 1> numbers_;         // or those
};

// A number for each row, or none.
class RowNumbers {
 public:
  explicit RowNumbers(const nb::object& given) : is_given_(!given.is_none()) {
    if (is_given_) numbers_ = nb::cast<Array<double, 1>>(given);
  }

  const double* get() const { return is_given_ ? numbers_.data() : nullptr; }

  // Throws unless there is one for each of n rows, above 0 and at most `most`.
  void check(std::size_t n, double most, int n_threads, const char* message) const {
    require(!is_given_ || (numbers_.shape(0) == n && all_positive(get(), n, most, n_threads)),
            message);
  }

 private:
  bool is_given_;
  Array<double, 1> numbers_;
};

}  // namespace frugalboost
