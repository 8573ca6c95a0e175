#pragma once

namespace calibscope::cli {

/// From now on freed blocks of some MiB stay with the process, for the next tensor: given back to
/// the system, each page would be cleared again when it is used next. For programs that end soon.
void keepFreedMemory();

}  // namespace calibscope::cli
