#include "ui/widgets/go_to_dialog.h"

#include "ui/plot/number_label.h"
#include "ui/widgets/go_to_delegate.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QVBoxLayout>

namespace calibscope {

GoToDialog::GoToDialog(const Words& words, std::vector<Destination> destinations, QWidget* parent)
    : QDialog(parent),
      m_query(new QLineEdit(this)),
      m_list(new QListView(this)),
      m_count(new QLabel(this))
{
    setObjectName(QStringLiteral("goTo"));
    setWindowTitle(words.title);
    setAttribute(Qt::WA_DeleteOnClose);
    m_query->setPlaceholderText(words.placeholder);
    m_query->setAccessibleName(tr("Search"));
    m_query->installEventFilter(this);
    m_list->setModel(&m_model);
    m_list->setItemDelegate(new GoToDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus);  // typing never leaves the line
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setAccessibleName(tr("What was found"));
    m_count->setForegroundRole(QPalette::PlaceholderText);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 10, 10, 8);
    layout->addWidget(m_query);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_count);
    connect(m_query, &QLineEdit::textChanged, this, &GoToDialog::search);
    connect(m_list, &QListView::clicked, this, &GoToDialog::go);
    resize(620, 440);
    m_model.setDestinations(std::move(destinations));
    search({});
}

void GoToDialog::search(const QString& query)
{
    m_model.setQuery(query);
    m_list->setCurrentIndex(m_model.index(0));
    const auto found = static_cast<std::uint64_t>(m_model.matchCount());
    if (found == 0)
        m_count->setText(tr("Nothing has these letters in this order."));
    else if (m_model.matchCount() > m_model.rowCount())
        m_count->setText(tr("the best %1 of %2")
                             .arg(countLabel(static_cast<std::uint64_t>(m_model.rowCount())),
                                  countLabel(found)));
    else
        m_count->setText(tr("%1 found").arg(countLabel(found)));
}

/// What is chosen may open a dialog of its own: this one is closed before.
void GoToDialog::go()
{
    const int row = m_list->currentIndex().row();
    if (row < 0)
        return;
    hide();
    m_model.go(row);
    close();
}

bool GoToDialog::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    auto& key = static_cast<QKeyEvent&>(*event);
    switch (key.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter: go(); return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown: QCoreApplication::sendEvent(m_list, event); return true;
    default: return QDialog::eventFilter(watched, event);
    }
}

}  // namespace calibscope
