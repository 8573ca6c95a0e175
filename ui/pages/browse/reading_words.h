// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>

namespace calibscope {

struct TensorInfo;

/// How far the reading of a tensor is, in words. Some calibrators need its values again: what is
/// told begins anew then.
class ReadingWords
{
public:
    /// Reading begins.
    void start(const TensorInfo& tensor);
    /// So much of the pass is read, so long after the beginning.
    void setShare(double share, std::int64_t elapsedMs);

    /// "Reading batch 3 of 16: 17 %, ≈ 1.2 GB/s", of the values as float32.
    [[nodiscard]] QString text() const;
    /// "Stopped after batch 2 of 16.", the last one that was read in full; of one batch "Stopped
    /// after 17 % of the values."
    [[nodiscard]] QString stoppedText() const;
    /// "Numbers are from the first batch, ≈ 6.25 % of the values."
    [[nodiscard]] QString firstBatchText() const;

private:
    [[nodiscard]] std::uint64_t batchesRead() const;
    [[nodiscard]] QString shareText() const;

    std::uint64_t m_batches = 1;
    double m_bytes = 0.0;
    double m_firstShare = 1.0;  ///< of the first batch
    double m_share = 0.0;
    std::int64_t m_elapsedMs = 0;
    std::int64_t m_passBeganMs = 0;
    int m_pass = 1;
};

}  // namespace calibscope
