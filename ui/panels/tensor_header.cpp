// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tensor_header.h"

#include "ui/document/document.h"
#include "ui/document/tensor_text.h"
#include "ui/panels/neighbour_chips.h"
#include "ui/plot/number_label.h"
#include "ui/widgets/parts_label.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace calibscope {

TensorTitle::TensorTitle(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_name(new ElidedLabel(Qt::ElideMiddle, this)),
      m_facts(new ElidedLabel(Qt::ElideRight, this)),
      m_neighbours(new NeighbourChips(document, this))
{
    QFont large = m_name->font();
    large.setPointSizeF(large.pointSizeF() * 1.4);
    large.setBold(true);
    m_name->setFont(large);
    m_facts->setForegroundRole(QPalette::PlaceholderText);
    m_facts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);  // gives way to the name
    auto* line = new QHBoxLayout;
    line->setSpacing(20);
    line->addWidget(m_name);
    line->addWidget(m_facts, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(2);
    layout->addLayout(line);
    layout->addWidget(m_neighbours);
}

void TensorTitle::show(const QString& name, const QString& facts)
{
    const TensorInfo* selected = m_document.selectedTensor();
    const bool isSelected = selected && QString::fromStdString(selected->name) == name;
    m_name->setName(name, isSelected ? m_document.neededParts() : QByteArray());
    m_facts->setText(facts);
}

ChannelChoice::ChannelChoice(QWidget* parent) : QWidget(parent), m_number(new QSpinBox(this))
{
    m_number->setObjectName(QStringLiteral("channel"));
    m_number->setMinimum(-1);
    m_number->setSpecialValueText(tr("all channels"));
    m_number->setPrefix(tr("channel "));
    m_number->setKeyboardTracking(false);
    m_number->setAccessibleName(tr("Channel shown"));
    m_number->setToolTip(tr("One channel as if it were a tensor of its own, or all of them"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_number);
    connect(m_number, &QSpinBox::valueChanged, this, [this](int number) {
        Q_EMIT chosen(number < 0 ? std::nullopt : std::optional(static_cast<quint64>(number)));
    });
}

void ChannelChoice::setChannels(std::uint64_t count, std::optional<std::uint64_t> shown)
{
    constexpr std::uint64_t most = std::numeric_limits<int>::max();
    const QSignalBlocker blocker(m_number);
    m_number->setMaximum(static_cast<int>(std::min(count, most)) - 1);
    m_number->setValue(shown ? static_cast<int>(std::min(*shown, most)) : -1);
    setVisible(count > 1);
}

void ChannelChoice::focusNumber()
{
    m_number->setFocus(Qt::ShortcutFocusReason);
    m_number->selectAll();
}

namespace {

QString factsOf(const TensorInfo& tensor)
{
    QStringList facts;
    if (!tensor.op.empty())
        facts += QString::fromStdString(tensor.op);
    facts += shapeLabel(tensor);
    facts += typeLabel(tensor);
    if (!tensor.parts.empty())
        facts += countText(tensor.parts.size(), TensorHeader::tr("1 dataset"),
                           TensorHeader::tr("%1 datasets"));
    facts +=
        countText(tensor.valueCount(), TensorHeader::tr("1 value"), TensorHeader::tr("%1 values"));
    if (tensor.batchCount() > 1)
        facts += TensorHeader::tr("%1 batches").arg(countLabel(tensor.batchCount()));
    if (tensor.channelCount() > 0)
        facts += countText(tensor.channelCount(), TensorHeader::tr("1 channel"),
                           TensorHeader::tr("%1 channels"));
    return facts.join(QStringLiteral("   "));
}

}  // namespace

TensorHeader::TensorHeader(Document& document, QWidget* parent)
    : QWidget(parent), m_title(new TensorTitle(document, this)), m_channel(new ChannelChoice(this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(20);
    layout->addWidget(m_title, 1);
    layout->addWidget(m_channel, 0, Qt::AlignTop);
    connect(m_channel, &ChannelChoice::chosen, this, &TensorHeader::channelChosen);
    setTensor(nullptr, std::nullopt);
}

void TensorHeader::setTensor(const TensorInfo* tensor, std::optional<std::uint64_t> shownChannel,
                             bool hasParts)
{
    m_title->show(tensor ? QString::fromStdString(tensor->name) : QString(),
                  tensor ? factsOf(*tensor) : QString());
    const bool hasChannels = tensor && tensor->isReadable() && hasParts;
    m_channel->setChannels(hasChannels ? tensor->channelCount() : 0, shownChannel);
}

void TensorHeader::focusChannel()
{
    if (m_channel->isVisible())
        m_channel->focusNumber();
}

}  // namespace calibscope
