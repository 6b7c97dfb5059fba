// Memory that runs out when a test says so.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#include "tests/check.hpp"

namespace frugalboost::testing {

// As long as it lives, an allocation fails: the number-th from its start, of whichever thread, and
// if it lasts all after that.
class Shortage {
 public:
  Shortage(std::size_t number, bool lasts);
  ~Shortage();
  Shortage(const Shortage&) = delete;
  Shortage& operator=(const Shortage&) = delete;

  bool is_felt() const;
};

// Pieces of memory that operator new has given and that are still held.
std::size_t pieces_held();

// Calls `act`, which makes all that it needs, while memory runs out at its first allocation, at the
// second, and so on until it has enough; of the numbers above `thorough` some are left out. Every
// other time no memory comes back before the call is over. A sort can do without memory of its own,
// so a call may also succeed.
template <class Act>
void survives(const char* what, std::size_t thorough, Act&& act) {
  const auto expected = act();  // what is made once and for all is made here
  bool is_right = true, is_given_back = true, is_felt = true;
  std::size_t n_thrown = 0, n_tries = 0;
  for (std::size_t number = 1; is_felt; number += 1 + number / thorough) {
    const std::size_t held = pieces_held();
    {
      const Shortage shortage(number, ++n_tries % 2 == 0);
      try {
        is_right &= act() == expected;
      } catch (const std::bad_alloc&) {
        ++n_thrown;
      }
      is_felt = shortage.is_felt();
    }
    is_given_back &= pieces_held() == held;
    if (n_tries % 16 == 0) is_right &= act() == expected;
  }
  check(n_thrown > 0, "want of memory is felt");
  check(is_given_back, "nothing is left behind for want of memory");
  check(is_right, what);
}

// All numbers of small problems; those on several threads are larger.
inline std::size_t thorough(int n_threads) { return n_threads == 1 ? 10'000 : 10; }

// Some of them zero, so that not all rows change.
inline std::vector<double> some_rises(std::size_t n) {
  std::vector<double> rise(n);
  for (std::size_t i = 0; i < n; ++i) rise[i] = i % 3 == 0 ? 1.5 : 0.0;
  return rise;
}

}  // namespace frugalboost::testing
