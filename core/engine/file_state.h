#pragma once

#include <string>

namespace calibscope::engine {

/// A text that is another one for another file and after every change of this one: of absolute
/// path, size, time of change to the nanosecond, and the hash of its header. Empty where that can't
/// be told: of no file, and of one that was changed within the last two seconds, for the next
/// change may leave the same time.
[[nodiscard]] std::string fileState(const std::string& path);

/// The same of the program that is running: its version changes with each build of it.
[[nodiscard]] std::string programState();

}  // namespace calibscope::engine
