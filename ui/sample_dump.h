#pragma once

#include <QString>

namespace calibscope {

/// Path of the bundled sample dump: beside an installed application or in the source tree that it
/// was built in; empty if it is in neither place.
[[nodiscard]] QString sampleDumpPath();

}  // namespace calibscope
