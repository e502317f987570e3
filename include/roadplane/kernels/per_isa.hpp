#pragma once

// Code that is compiled once per instruction set lives in the namespace ROADPLANE_KERNELS and stays
// clear of everything that other translation units might also instantiate (Eigen, std algorithms,
// inline functions of other namespaces): the linker would keep one copy, and it might be the one
// that this processor cannot run.

#if defined(__AVX512F__)
#define ROADPLANE_KERNELS kernels_avx512
#elif defined(__AVX2__)
#define ROADPLANE_KERNELS kernels_avx2
#else
#define ROADPLANE_KERNELS kernels_plain
#endif
