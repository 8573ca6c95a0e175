#pragma once

#include <QString>
#include <QWidget>

class QToolButton;
class QVBoxLayout;

namespace calibscope {

/// A line that opens and closes what lies below it.
class Expander : public QWidget
{
    Q_OBJECT

public:
    explicit Expander(const QString& title, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// What opens; becomes its child.
    void setContent(QWidget* content);
    void setOpen(bool isOpen);
    [[nodiscard]] bool isOpen() const;

Q_SIGNALS:
    void toggled(bool isOpen);

private:
    QToolButton* m_button;
    QVBoxLayout* m_layout;
    QWidget* m_content = nullptr;
};

}  // namespace calibscope
