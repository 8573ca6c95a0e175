// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/base/file_identity.h"
#include "core/tensor/tensor_info.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::spread {

/// A tensor as its file lists it, and how it may be cut into units.
struct TensorListing
{
    TensorInfo info;                            ///< axes as in the file
    std::uint64_t samples = 0;                  ///< that are meant
    std::uint64_t perCut = 0;                   ///< as DumpFile::samplesPerCut() has it
    std::optional<std::uint64_t> firstChannel;  ///< as DumpFile::firstChannelOf() has it
    std::optional<std::uint64_t> allChannels;   ///< likewise, of such a tensor
    std::string shardProblem;  ///< why that can't be determined, as a sentence; or empty
};

/// What one process finds in a file, for all that work on it.
struct FileListing
{
    FileIdentity identity;  ///< with its stamp
    std::string canonical;  ///< the path without links
    std::optional<std::uint64_t> firstSample;
    bool isProfile = false;
    bool holdsShards = false;  ///< as DumpFile::holdsShards() has it, whatever was asked for
    bool hasMeant = true;      ///< a tensor that was asked for
    std::vector<TensorListing> tensors;
    std::vector<std::string> complaints;  ///< of tensors that were asked for
    std::string leftOut;                  ///< why the file can't be opened; or empty
    /// Why nothing can be made of the files at all; or empty.
    std::string failure;
    Fault fault = Fault::Input;  ///< of that failure
};

[[nodiscard]] std::string bytesOf(const FileListing& listing);
/// The listing again. Throws Error(Input) for damaged bytes.
[[nodiscard]] FileListing fileListingFrom(std::string_view bytes);

}  // namespace calibscope::spread
