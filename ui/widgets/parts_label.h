// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFontMetrics>
#include <QFrame>
#include <QPalette>
#include <QString>
#include <QStringList>

#include <vector>

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

    void setText(const QString& text) { setTexts(text, {}); }
    /// `shorter`: what is shown instead where it is too long, the first that fits; the last
    /// one gives way like any text.
    void setTexts(const QString& text, QStringList shorter);
    /// A name with text before it or without, see elidedName(); without needs as any text.
    void setName(const QString& name, const QByteArray& needs, const QString& before = {});
    [[nodiscard]] const QString& text() const { return m_text; }
    /// As it is shown at the present width.
    [[nodiscard]] QString shownText() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Qt::TextElideMode m_mode;
    QString m_text;
    QStringList m_shorter;
    QByteArray m_needs;  ///< of a name's parts; empty: it is none
    int m_lines = 1;
};

/// Short facts in a row, in as many lines as the width asks for: a fact is never parted or cut
/// while it is narrower than the label. The tooltip has all of them.
class PartsLabel : public QFrame
{
    Q_OBJECT

public:
    struct Part
    {
        QString text;
        QPalette::ColorRole role = QPalette::PlaceholderText;  ///< what it is written in

        bool operator==(const Part&) const = default;
    };

    explicit PartsLabel(QWidget* parent = nullptr);

    void setParts(std::vector<Part> parts);
    [[nodiscard]] const std::vector<Part>& parts() const { return m_parts; }
    /// The parts of each line of that width; a part that is wider has a line of its own.
    [[nodiscard]] std::vector<std::vector<Part>> linesOf(int width) const;

    [[nodiscard]] QSize sizeHint() const override;  ///< all in one line
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] int gap() const { return fontMetrics().horizontalAdvance(QStringLiteral("   ")); }

    std::vector<Part> m_parts;
};

}  // namespace calibscope
