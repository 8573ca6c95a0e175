// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_info.h"
#include "ui/document/channels_display.h"

#include <QWidget>

#include <array>
#include <string>

class QComboBox;
class QPushButton;

namespace calibscope {

/// Choices of the Channels page: two calibrators and the channels' order.
/// It shows what it is given and says what is wanted.
class ChannelControls : public QWidget
{
    Q_OBJECT

public:
    explicit ChannelControls(QWidget* parent = nullptr);

    void show(const ChannelsDisplay& display, Role role);
    /// Ids of the calibrators that are shown; the second one may be blank: none.
    [[nodiscard]] std::array<std::string, 2> calibrators() const;
    void setOutliers(std::size_t count);

Q_SIGNALS:
    void calibratorsWanted(const std::array<std::string, 2>& ids);
    void orderWanted(calibscope::ChannelOrder order);
    void outliersWanted();

private:
    QComboBox* m_first;
    QComboBox* m_second;
    QComboBox* m_order;
    QPushButton* m_outliers;
};

}  // namespace calibscope
