#pragma once

#include <QString>

namespace calibscope {

/// Path of the bundled sample dump, share/calibscope beside the folder of the application; empty if
/// it is not there.
[[nodiscard]] QString sampleDumpPath();

}  // namespace calibscope
