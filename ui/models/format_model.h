// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/format_messages.h"
#include "core/report/tables/format_tables.h"
#include "ui/models/table_model.h"

#include <QString>

#include <functional>
#include <vector>

namespace calibscope {

/// Stored bits: "0x7b", as many digits as so many bits have.
[[nodiscard]] QString hexText(unsigned pattern, int bits);

/// A tensor under number formats, those in bold that none exceeds, and ✓ before the one that is
/// accepted.
[[nodiscard]] TableDescriptor<EncodedTensor>
formatTable(std::function<bool(const EncodedTensor&)> isAccepted = {});

/// A value of a block under a format.
struct BlockValue
{
    std::uint64_t index = 0;  ///< in the tensor
    double value = 0.0;
    unsigned pattern = 0;
    double decoded = 0.0;
    int bits = 8;  ///< of the pattern
};
[[nodiscard]] TableDescriptor<BlockValue> blockTable();
[[nodiscard]] std::vector<BlockValue> blockValues(const BlockFormat& format,
                                                  const protocol::EncodedBlock& block);

/// How the block's scale follows, in a few sentences: its number and stored bits, what it does to
/// the values, and of powers of two what each scale rule gives.
[[nodiscard]] QString blockText(const BlockFormat& format, const protocol::EncodedBlock& block);

}  // namespace calibscope
