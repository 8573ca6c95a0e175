// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/tensor_text.h"

#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <QStringList>

#include <algorithm>

namespace calibscope {

namespace {

QString channelsLabel(const TensorInfo& tensor)
{
    const std::uint64_t channels = tensor.channelCount();
    if (!tensor.channelAxis)
        return tr("no channels");
    if (channels == 0)
        return tr("0 channels");
    const QString values =
        countText(tensor.valueCount() / channels, tr("1 value"), tr("%1 values"));
    return channels == 1 ? tr("1 channel of %1").arg(values)
                         : tr("%1 channels of %2 each").arg(countLabel(channels), values);
}

QString batchesLabel(const TensorInfo& tensor)
{
    if (!tensor.batchAxis)
        return tr("one batch");
    const std::uint64_t samples = tensor.sampleCount();
    const std::uint64_t batches = tensor.batchCount();
    if (batches <= 1)
        return tr("one batch of %1").arg(countText(samples, tr("1 sample"), tr("%1 samples")));
    const QString size = countText(tensor.batchSize, tr("1 sample"), tr("%1 samples"));
    return samples % tensor.batchSize == 0
               ? tr("%1 batches of %2").arg(countLabel(batches), size)
               : tr("%1 batches of %2, the last of %3")
                     .arg(countLabel(batches), size, countLabel(samples % tensor.batchSize));
}

}  // namespace

QString roleTitle(Role role)
{
    switch (role) {
    case Role::Activation: return tr("activation");
    case Role::Weight: return tr("weight");
    case Role::Bias: return tr("bias");
    case Role::Unknown: return tr("unknown");
    }
    return {};
}

QString rolesTitle(Role role)
{
    switch (role) {
    case Role::Activation: return tr("activations");
    case Role::Weight: return tr("weights");
    case Role::Bias: return tr("biases");
    case Role::Unknown: return tr("other");
    }
    return {};
}

QString shapeLabel(const TensorInfo& tensor)
{
    return QString::fromStdString(shapeText(tensor.shape)).replace(u'x', u'×');
}

QString typeLabel(const TensorInfo& tensor)
{
    const QString type = QString::fromStdString(elementText(tensor));
    const QString stored = QString::fromStdString(storedTypeText(tensor));
    const QString read = stored == type ? type : tr("%1 as %2").arg(stored, type);
    return tensor.lossy.empty() ? read : read + QStringLiteral(" ≈");
}

QString divisionLabel(const TensorInfo& tensor)
{
    return tr("%1, %2").arg(channelsLabel(tensor), batchesLabel(tensor));
}

QString axesLabel(const TensorInfo& tensor)
{
    QStringList parts{tensor.role == Role::Unknown ? tr("tensor of unknown role")
                                                   : roleTitle(tensor.role)};
    if (tensor.batchAxis)
        parts += tr("axis %1 as samples").arg(*tensor.batchAxis);
    if (tensor.channelAxis)
        parts += tr("axis %1 as channels").arg(*tensor.channelAxis);
    else
        parts += tr("no axis as channels");
    return parts.join(QStringLiteral(", "));
}

QString axisLabel(const TensorInfo& tensor, const std::optional<int>& axis)
{
    if (!axis)
        return tr("none");
    const auto length = tensor.shape.at(static_cast<std::size_t>(*axis));
    return tr("axis %1 (%2)").arg(QString::number(*axis), countLabel(length));
}

}  // namespace calibscope
