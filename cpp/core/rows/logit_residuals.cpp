#include "core/rows/logit_residuals.hpp"

#include "core/rows/exponential.hpp"

namespace frugalboost {
namespace {

// Label minus probability is sign / (1 + exp(sign * decision)). `top` becomes the sign, `bottom`
// the exponent.
template <class Label>
FRUGALBOOST_PART void find_exponents(const double* decision, const Label* labels, std::size_t n,
                                     double* top, double* bottom) {
  for (std::size_t i = 0; i < n; ++i) {
    top[i] = labels[i] != 0 ? 1.0 : -1.0;
    bottom[i] = top[i] * decision[i];
  }
}

FRUGALBOOST_CLONES
void two_class_exponents(const double* decision, const std::uint8_t* labels, std::size_t n,
                         double* top, double* bottom) {
  find_exponents(decision, labels, n, top, bottom);
}

FRUGALBOOST_CLONES
void two_class_exponents(const double* decision, const std::int64_t* labels, std::size_t n,
                         double* top, double* bottom) {
  find_exponents(decision, labels, n, top, bottom);
}

template <class Label>
void find_two_class(const double* decision, const Label* labels, std::size_t n, double* top,
                    double* bottom) {
  two_class_exponents(decision, labels, n, top, bottom);
  exponentiate(bottom, n);
  for (std::size_t i = 0; i < n; ++i) bottom[i] += 1.0;
}

template <class Label>
void find_softmax(const double* decision, const Label* labels, std::size_t n_rows,
                  std::size_t n_outputs, double* top, double* bottom) {
  for (std::size_t i = 0; i < n_rows; ++i) {
    const double* of_row = decision + i * n_outputs;
    double largest = of_row[0];
    for (std::size_t k = 1; k < n_outputs; ++k) largest = std::max(largest, of_row[k]);
    for (std::size_t k = 0; k < n_outputs; ++k) top[i * n_outputs + k] = of_row[k] - largest;
  }
  exponentiate(top, n_rows * n_outputs);
  for (std::size_t i = 0; i < n_rows; ++i, top += n_outputs, bottom += n_outputs) {
    const double own = top[labels[i]];
    top[labels[i]] = 0.0;
    double others = 0.0;
    for (std::size_t k = 0; k < n_outputs; ++k) others += top[k];
    // 1 - p as the share of the others: the difference would be 0 from p = 1 - 1e-16 on.
    top[labels[i]] = -others;
    for (std::size_t k = 0; k < n_outputs; ++k) bottom[k] = -(others + own);
  }
}

}  // namespace

void two_class_residuals(const double* decision, const std::uint8_t* labels, std::size_t n,
                         double* top, double* bottom) {
  find_two_class(decision, labels, n, top, bottom);
}

void two_class_residuals(const double* decision, const std::int64_t* labels, std::size_t n,
                         double* top, double* bottom) {
  find_two_class(decision, labels, n, top, bottom);
}

void softmax_residuals(const double* decision, const Row* labels, std::size_t n_rows,
                       std::size_t n_outputs, double* top, double* bottom) {
  find_softmax(decision, labels, n_rows, n_outputs, top, bottom);
}

void softmax_residuals(const double* decision, const std::int64_t* labels, std::size_t n_rows,
                       std::size_t n_outputs, double* top, double* bottom) {
  find_softmax(decision, labels, n_rows, n_outputs, top, bottom);
}

}  // namespace frugalboost
