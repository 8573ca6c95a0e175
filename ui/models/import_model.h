// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "ui/models/table_model.h"

#include <string>
#include <vector>

namespace calibscope {

/// An entry of a file of another tool, or a finding of the file as a whole.
struct ImportRow
{
    protocol::ImportedEntry entry;
    std::string tensor;  ///< its name in the dump; empty: none
};

/// The entries, the ones with the worst findings first, then the findings of the file as a whole.
/// `tensors`: names by index in the request.
[[nodiscard]] std::vector<ImportRow> importRows(const protocol::ImportedFile& file,
                                                const std::vector<std::string>& tensors);

struct ImportColumn
{
    enum { Name, Tensor, Low, High, Deviation, Clipped, Findings };
};

[[nodiscard]] TableDescriptor<ImportRow> importTable();

/// "error: the range clips 12 % of the values".
[[nodiscard]] QString findingText(const Finding& finding);

}  // namespace calibscope
