// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetrics>
#include <QFrame>
#include <QString>
#include <QStringList>

namespace calibscope {

/// As much of the text as the width holds. Of parts that three spaces keep apart whole ones are
/// left out, the last ones first, so that no number loses digits or its unit; what can't be parted
/// any more is elided.
[[nodiscard]] QString fittingText(const QString& text, const QFontMetrics& metrics,
                                  Qt::TextElideMode mode, int width);

/// The text in so many lines at most, broken at blanks; the last one by fittingText().
[[nodiscard]] QStringList fittingLines(const QString& text, const QFontMetrics& metrics,
                                       Qt::TextElideMode mode, int width, int most);

/// A line of text, or a few, that gives way where there is no room, see fittingLines(); the tooltip
/// has it whole.
class ElidedLabel : public QFrame
{
    Q_OBJECT

public:
    explicit ElidedLabel(Qt::TextElideMode mode, QWidget* parent = nullptr);

    /// Room for so many is taken always, and the text stands in its middle.
    void setLines(int lines);

    void setText(const QString& text);
    [[nodiscard]] const QString& text() const { return m_text; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Qt::TextElideMode m_mode;
    QString m_text;
    int m_lines = 1;
};

}  // namespace calibscope
