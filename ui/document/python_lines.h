#pragma once

#include "core/tensor/tensor_info.h"

#include <QString>

namespace calibscope {

/// Lines of Python that read the tensor with h5py, with the values as they are stored.
[[nodiscard]] QString pythonLines(const QString& file, const TensorInfo& tensor);

}  // namespace calibscope
