#pragma once

#include "ui/widgets/go_to_model.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QListView;

namespace calibscope {

/// A line to type into and the destinations that answer it: the command palette, say. The arrow
/// keys choose, Enter goes there, Esc leaves.
class GoToDialog : public QDialog
{
    Q_OBJECT

public:
    /// What it asks for: by its title, and in the line while that is empty.
    struct Words
    {
        QString title;
        QString placeholder;
    };

    GoToDialog(const Words& words, std::vector<Destination> destinations, QWidget* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search(const QString& query);
    void go();

    GoToModel m_model;
    QLineEdit* m_query;
    QListView* m_list;
    QLabel* m_count;
};

}  // namespace calibscope
