#pragma once

#include <QFrame>
#include <QString>

namespace calibscope {

/// One line of text that gives way where there is no room: a part is left out, the tooltip has it
/// whole.
class ElidedLabel : public QFrame
{
    Q_OBJECT

public:
    explicit ElidedLabel(Qt::TextElideMode mode, QWidget* parent = nullptr);

    void setText(const QString& text);
    [[nodiscard]] const QString& text() const { return m_text; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Qt::TextElideMode m_mode;
    QString m_text;
};

}  // namespace calibscope
