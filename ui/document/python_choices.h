// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_info.h"

#include <QString>

#include <vector>

namespace calibscope {

/// Lines of Python that read the tensor with h5py, with the values as they are stored.
[[nodiscard]] QString pythonLines(const QString& file, const TensorInfo& tensor);

class Document;

/// A program in Python for something that the window shows.
struct PythonChoice
{
    QString title;
    QString code;
};

/// Programs for the selected tensor: one that reads its values, and those that recompute its
/// statistics, its histogram, and scale, metrics and curve of the outcomes that are drawn. Nothing
/// without a selection.
[[nodiscard]] std::vector<PythonChoice> pythonChoices(const Document& document);

}  // namespace calibscope
