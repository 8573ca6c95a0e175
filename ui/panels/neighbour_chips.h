// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <cstddef>
#include <vector>

class QLabel;
class QToolButton;

namespace calibscope {

class Document;

/// The selected tensor's neighbours in the graph as small buttons in one line: those that its op
/// takes, and those whose ops take it. A click selects one; what has no room is in a menu at the
/// end. Hidden where the dump states no graph.
class NeighbourChips : public QWidget
{
    Q_OBJECT

public:
    explicit NeighbourChips(Document& document, QWidget* parent = nullptr);

    /// Those on screen, from left to right.
    [[nodiscard]] std::vector<QToolButton*> shownChips() const;
    [[nodiscard]] QToolButton& moreButton() const { return *m_more; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// What is on one side of the tensor.
    struct Side
    {
        QLabel* label = nullptr;
        std::vector<int> tensors = {};
        std::vector<QToolButton*> chips = {};
        std::size_t shown = 0;  ///< of the chips, from the first
    };
    void refresh();
    void fill(Side& side, const std::vector<int>& tensors);
    void arrange();
    void openMenu();

    Document& m_document;
    Side m_from;
    Side m_to;
    QToolButton* m_more;
};

}  // namespace calibscope
