#pragma once

#include "ui/go_to/go_to_model.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QListView;

namespace calibscope {

/// The command palette: a line to type into and the destinations that answer it. The arrow keys
/// choose, Enter goes there, Esc leaves.
class GoToDialog : public QDialog
{
    Q_OBJECT

public:
    explicit GoToDialog(std::vector<Destination> destinations, QWidget* parent);

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
