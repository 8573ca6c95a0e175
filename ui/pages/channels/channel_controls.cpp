// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/channels/channel_controls.h"

#include "core/calibrators/calibrator.h"
#include "ui/plot/number_label.h"
#include "ui/theme/plain_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace calibscope {

namespace {

constexpr int shortestChoice = 5;  // characters; the page shrinks before they are all to be read

void addCalibrators(QComboBox& box)
{
    for (const Calibrator& calibrator : calibscope::calibrators())
        if (calibrator.id != "fixed")  // the same scale for all channels
            box.addItem(QString::fromUtf8(calibrator.title.data(),
                                          static_cast<qsizetype>(calibrator.title.size())),
                        QString::fromStdString(std::string(calibrator.id)));
}

void showData(QComboBox& box, const QVariant& data)
{
    box.setCurrentIndex(std::max(0, box.findData(data)));
}

std::array<std::string, 2> usualCalibrators(Role role)
{
    return {"min-max", role == Role::Weight ? "l2" : "percentile"};
}

}  // namespace

ChannelControls::ChannelControls(QWidget* parent)
    : QWidget(parent),
      m_first(new QComboBox(this)),
      m_second(new QComboBox(this)),
      m_order(new QComboBox(this)),
      m_outliers(new QPushButton(this))
{
    addCalibrators(*m_first);
    m_second->addItem(tr("nothing"), QString());
    addCalibrators(*m_second);
    m_order->addItem(tr("index"), static_cast<int>(ChannelOrder::Index));
    m_order->addItem(tr("scale"), static_cast<int>(ChannelOrder::Scale));
    m_order->addItem(tr("outliers first"), static_cast<int>(ChannelOrder::State));

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 2, 0, 4);
    layout->setSpacing(4);
    const auto add = [&](const QString& text, QComboBox* box) {
        auto* label = new PlainLabel(text, this);
        label->setBuddy(box);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(shortestChoice);
        box->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        layout->addWidget(label);
        layout->addWidget(box);
    };
    add(tr("&Scales by"), m_first);
    add(tr("a&gainst"), m_second);
    add(tr("O&rder"), m_order);
    layout->addStretch(1);
    layout->addWidget(m_outliers);
    setOutliers(0);

    for (QComboBox* box : {m_first, m_second})
        connect(box, &QComboBox::activated, this,
                [this] { Q_EMIT calibratorsWanted(calibrators()); });
    connect(m_order, &QComboBox::activated, this, [this] {
        Q_EMIT orderWanted(static_cast<ChannelOrder>(m_order->currentData().toInt()));
    });
    connect(m_outliers, &QPushButton::clicked, this, &ChannelControls::outliersWanted);
}

void ChannelControls::show(const ChannelsDisplay& display, Role role)
{
    const auto ids = display.calibrators.value_or(usualCalibrators(role));
    showData(*m_first, QString::fromStdString(ids[0]));
    showData(*m_second, QString::fromStdString(ids[1]));
    showData(*m_order, static_cast<int>(display.order));
}

std::array<std::string, 2> ChannelControls::calibrators() const
{
    return {m_first->currentData().toString().toStdString(),
            m_second->currentData().toString().toStdString()};
}

void ChannelControls::setOutliers(std::size_t count)
{
    m_outliers->setEnabled(count > 0);
    m_outliers->setText(count > 0 ? tr("Outliers: %1").arg(countLabel(count)) : tr("No outliers"));
    m_outliers->setToolTip(tr("Compares the channels whose scales are outliers"));
}

}  // namespace calibscope
