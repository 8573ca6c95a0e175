#pragma once

#include <QTabBar>

namespace calibscope {

/// Tabs without boxes: the current one is bold and underlined.
class UnderlinedTabBar : public QTabBar
{
    Q_OBJECT

public:
    explicit UnderlinedTabBar(QWidget* parent = nullptr);

protected:
    [[nodiscard]] QSize tabSizeHint(int index) const override;
    void paintEvent(QPaintEvent* event) override;

private:
    void paintTab(QPainter& painter, int index) const;
};

}  // namespace calibscope
