// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

class QToolButton;
class QVBoxLayout;

namespace calibscope {

/// A line that opens and closes what lies below it. A title without room is elided.
class Expander : public QWidget
{
    Q_OBJECT

public:
    explicit Expander(const QString& title, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// The content that opens; becomes its child.
    void setContent(QWidget* content);
    void setOpen(bool isOpen);
    [[nodiscard]] bool isOpen() const;

Q_SIGNALS:
    void toggled(bool isOpen);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showTitle();

    QString m_title;
    QToolButton* m_button;
    QVBoxLayout* m_layout;
    QWidget* m_content = nullptr;
};

}  // namespace calibscope
