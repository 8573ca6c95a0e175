#include "app/calib/kept_memory.h"

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace calibscope::cli {

void keepFreedMemory()
{
#ifdef __GLIBC__
    constexpr int mostBlock = 64 << 20;  // larger ones are mapped for themselves
    constexpr int mostKept = 128 << 20;  // at the heap's end
    mallopt(M_MMAP_THRESHOLD, mostBlock);
    mallopt(M_TRIM_THRESHOLD, mostKept);
#endif
}

}  // namespace calibscope::cli
