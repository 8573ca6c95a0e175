#include "ui/widgets/channel_choice.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <limits>

namespace calibscope {

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

}  // namespace calibscope
