#pragma once

#include "core/base/file_identity.h"

#include <QString>

namespace calibscope {

/// What of a file is another than before, as the end of a sentence: "size from 1,234 to 2,345
/// bytes, header". Empty: nothing, or it is not known how the file was.
[[nodiscard]] QString identityChanges(const FileIdentity& was, const FileIdentity& is);

}  // namespace calibscope
