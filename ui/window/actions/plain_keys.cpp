#include "ui/window/actions/plain_keys.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QKeyEvent>
#include <QKeySequenceEdit>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>
#include <QTreeView>

namespace calibscope {

namespace {

bool isTextField(const QWidget& widget)
{
    if (const auto* text = qobject_cast<const QTextEdit*>(&widget))
        return !text->isReadOnly();
    if (const auto* text = qobject_cast<const QPlainTextEdit*>(&widget))
        return !text->isReadOnly();
    return qobject_cast<const QLineEdit*>(&widget) ||
           qobject_cast<const QAbstractSpinBox*>(&widget) ||
           qobject_cast<const QComboBox*>(&widget) ||
           qobject_cast<const QKeySequenceEdit*>(&widget);
}

/// The list of tensors has nothing to press; tables have check boxes.
bool isPressedBySpace(const QWidget& widget)
{
    if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget))
        return view->objectName() != QStringLiteral("tensorTree");
    return qobject_cast<const QAbstractButton*>(&widget) != nullptr;
}

}  // namespace

bool takesPlainKey(const QWidget& focus, const QKeyEvent& event)
{
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return false;
    const bool isEdit = !event.text().isEmpty() || event.key() == Qt::Key_Home ||
                        event.key() == Qt::Key_End || event.key() == Qt::Key_Delete ||
                        event.key() == Qt::Key_Backspace;
    if (isTextField(focus))
        return isEdit && event.key() != Qt::Key_Escape && event.key() != Qt::Key_Tab;
    const bool presses = event.key() == Qt::Key_Space || event.key() == Qt::Key_Return ||
                         event.key() == Qt::Key_Enter;
    return presses && isPressedBySpace(focus);
}

}  // namespace calibscope
