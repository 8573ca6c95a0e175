// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPalette>
#include <QString>

#include <vector>

namespace calibscope {

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
    [[nodiscard]] int gap() const;

    std::vector<Part> m_parts;
};

}  // namespace calibscope
