#pragma once

#include "core/recipes/outcome.h"
#include "ui/channels/channel_facts.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QPushButton;

namespace calibscope {

/// What the Channels page shows, as the user chooses it: two calibrators and the channels' order.
class ChannelControls : public QWidget
{
    Q_OBJECT

public:
    explicit ChannelControls(QWidget* parent = nullptr);

    /// The usual two for a tensor of that role, unless the user has chosen others.
    void setRole(Role role);
    /// Ids of calibrators; the second one may be blank: none.
    [[nodiscard]] std::string first() const;
    [[nodiscard]] std::string second() const;
    /// As the user does; setRole() has no effect afterwards.
    void choose(const std::string& first, const std::string& second);
    [[nodiscard]] ChannelOrder order() const;
    void setOrder(ChannelOrder order);
    void setOutliers(std::size_t count);

Q_SIGNALS:
    void calibratorsChanged();
    void orderChanged();
    void outliersWanted();

private:
    void showChoice(const std::string& first, const std::string& second);

    QComboBox* m_first;
    QComboBox* m_second;
    QComboBox* m_order;
    QPushButton* m_outliers;
    bool m_isChosen = false;  ///< by the user
};

}  // namespace calibscope
