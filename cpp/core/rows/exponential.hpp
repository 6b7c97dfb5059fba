// The exponential function, the same to the last bit on every machine.
#pragma once

#include <cstddef>

namespace frugalboost {

// values[i] = exp(values[i]), to within two units in the last place; arguments below -708 count as
// -708 and those above 709 as 709, so that results are normal numbers. Written out, rather than
// taken from the system, because libraries differ in the last bit, and with it models would.
void exponentiate(double* values, std::size_t n);

}  // namespace frugalboost
