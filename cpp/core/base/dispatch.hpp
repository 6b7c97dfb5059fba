// Kernels compiled for several instruction sets, of which the processor's best is taken at run
// time: one binary serves all x86-64 machines. Elsewhere the plain version is all there is.
#pragma once

#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && defined(__GNUC__) && \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FRUGALBOOST_CLONES \
  __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define FRUGALBOOST_CLONES
#endif
