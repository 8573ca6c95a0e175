// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QListWidget;

namespace calibscope {

class Document;

/// The steps that can be undone and redone by what they did, the oldest first. Choosing one goes
/// to where it was the last that was done; the dialog stays and follows.
class HistoryDialog : public QDialog
{
    Q_OBJECT

public:
    /// `document` must outlive it.
    explicit HistoryDialog(Document& document, QWidget* parent = nullptr);

private:
    void showSteps();
    void go(int row);

    Document& m_document;
    QListWidget* m_list;
};

/// Opens it over that window, or brings forward the one that is open.
void showHistory(Document& document, QWidget& window);

}  // namespace calibscope
