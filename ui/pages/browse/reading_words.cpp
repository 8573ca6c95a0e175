// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/browse/reading_words.h"

#include "core/tensor/tensor_info.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>

namespace calibscope {

namespace {

double firstShare(const TensorInfo& tensor)
{
    if (tensor.batchCount() < 2)
        return 1.0;
    const auto samples = tensor.shape[static_cast<std::size_t>(*tensor.batchAxis)];
    return static_cast<double>(tensor.batchSize) / static_cast<double>(samples);
}

}  // namespace

void ReadingWords::start(const TensorInfo& tensor)
{
    *this = {};
    m_batches = tensor.batchCount();
    m_bytes = static_cast<double>(tensor.valueCount()) * sizeof(float);
    m_firstShare = firstShare(tensor);
}

void ReadingWords::setShare(double share, std::int64_t elapsedMs)
{
    if (share < m_share) {
        ++m_pass;
        m_passBeganMs = m_elapsedMs;
    }
    m_share = share;
    m_elapsedMs = elapsedMs;
}

std::uint64_t ReadingWords::batchesRead() const
{
    return static_cast<std::uint64_t>(m_share * static_cast<double>(m_batches));
}

QString ReadingWords::shareText() const
{
    return tr("%1 %").arg(static_cast<int>(100.0 * m_share));
}

QString ReadingWords::text() const
{
    if (m_share == 0.0 && m_pass == 1)
        return tr("Reading...");
    QString text = m_batches > 1 ? tr("Reading batch %1 of %2: %3")
                                       .arg(countLabel(std::min(batchesRead() + 1, m_batches)),
                                            countLabel(m_batches), shareText())
                                 : tr("Reading: %1").arg(shareText());
    constexpr std::int64_t leastMs = 100;  // sooner a rate says nothing
    if (const std::int64_t passMs = m_elapsedMs - m_passBeganMs; passMs >= leastMs) {
        const double perSecond = m_share * m_bytes * 1000.0 / static_cast<double>(passMs);
        text += tr(", ≈ %1/s").arg(bytesLabel(static_cast<std::uint64_t>(perSecond)));
    }
    if (m_pass > 1)
        text += tr(" (pass %1 over the values)").arg(m_pass);
    return text;
}

QString ReadingWords::stoppedText() const
{
    if (m_pass > 1)
        return tr("Stopped in pass %1 over the values.").arg(m_pass);
    if (m_batches > 1)
        return tr("Stopped after batch %1 of %2.")
            .arg(countLabel(batchesRead()), countLabel(m_batches));
    return tr("Stopped after %1 of the values.").arg(shareText());
}

QString ReadingWords::firstBatchText() const
{
    return tr("Numbers are from the first batch, ≈ %1 % of the values.")
        .arg(valueLabel(100.0 * m_firstShare, 3));
}

}  // namespace calibscope
