#pragma once

#include "ui/window/actions/shortcut_choice.h"

#include <QWidget>

class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace calibscope {

/// All actions with their keys, and a field that gives the chosen one another key.
class ShortcutEditor : public QWidget
{
    Q_OBJECT

public:
    explicit ShortcutEditor(ShortcutChoice choice, QWidget* parent = nullptr);

    [[nodiscard]] const ShortcutChoice& choice() const { return m_choice; }
    void select(ActionId id);

Q_SIGNALS:
    void choiceChanged();

private:
    [[nodiscard]] QWidget* makeField();
    void fill();
    void filter(const QString& text);
    void showSelected();
    void assign(const QKeySequence& key);
    void assignStandard();
    void showAnswer(std::optional<ActionId> owner, const QKeySequence& key);
    [[nodiscard]] std::optional<ActionId> selected() const;

    ShortcutChoice m_choice;
    QTreeWidget* m_list;
    QKeySequenceEdit* m_key;
    QPushButton* m_none;
    QPushButton* m_standard;
    QLabel* m_answer;
};

}  // namespace calibscope
