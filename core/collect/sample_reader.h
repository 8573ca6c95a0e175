// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/tensor/value_source.h"

#include <cstdint>
#include <memory>
#include <span>

namespace calibscope {

/// A tensor's values sample by sample, to be taken when they are wanted: a few tensors can be read
/// side by side. A small tensor is read at once, of a large one some samples ahead by a thread of
/// its own.
class SampleReader
{
public:
    /// Samples lie along axis 0 of the source's info. Throws as the source's visit().
    SampleReader(const ValueSource& source, const Progress& progress);
    ~SampleReader();
    SampleReader(const SampleReader&) = delete;
    SampleReader& operator=(const SampleReader&) = delete;

    /// The next sample; valid until the next call. Requires that there is one. Throws as visit().
    [[nodiscard]] std::span<const float> next();
    /// A flag for each value of that sample: 0 where the mask leaves it out, and its value is 0.
    /// Empty: all count.
    [[nodiscard]] std::span<const std::uint8_t> counts() const;

    /// Memory that a reader takes at most, for samples of so many values.
    [[nodiscard]] static std::uint64_t bytesFor(std::uint64_t valuesPerSample);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace calibscope
