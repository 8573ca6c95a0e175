// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "core/tensor/tensor_info.h"

#include <QString>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace calibscope {

/// Tensors that have something in common.
struct TensorShare
{
    QString title;
    QString query;  ///< of the tensor list's filter, that lets just these through
    std::uint64_t tensors = 0;
    std::uint64_t values = 0;
    std::uint64_t guesses = 0;
};

/// Tensors that can't be read, for the same reason.
struct UnreadableTensors
{
    QString reason;
    std::vector<int> tensors;
};

/// Contents of a dump as a whole, without reading a value.
struct DumpSummary
{
    std::uint64_t tensors = 0;
    std::uint64_t values = 0;
    std::uint64_t guesses = 0;
    int firstGuess = -1;
    int firstNeedingOtherFiles = -1;            ///< can't be read unless other files are allowed
    std::vector<TensorShare> roles;             ///< in the order of the list; none is empty
    std::vector<TensorShare> types;             ///< this and all below: most values first
    std::vector<TensorShare> storages;          ///< compression and checksum
    std::vector<TensorShare> rules;             ///< by which layouts were understood
    std::vector<UnreadableTensors> unreadable;  ///< in the order of their first tensors
};

[[nodiscard]] DumpSummary summarise(const std::vector<TensorInfo>& tensors);

/// The reason names the option that lets other files be read.
[[nodiscard]] bool needsOtherFiles(const TensorInfo& tensor);

/// The tensors with the lowest SQNR, the lowest first; those whose preview is there and tells one.
[[nodiscard]] std::vector<int> worstTensors(const std::map<int, protocol::Preview>& previews,
                                            std::size_t most);

}  // namespace calibscope
