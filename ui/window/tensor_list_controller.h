// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/models/tensor_model.h"

#include <QHash>
#include <QObject>
#include <QString>

#include <vector>

namespace calibscope {

class TensorPanel;

/// The list of the open dump's tensors: what it shows of each, and where it leads.
class TensorListController : public QObject
{
    Q_OBJECT

public:
    /// The panel belongs to `parent`. The document must outlive this.
    TensorListController(Document& document, QWidget& parent);

    [[nodiscard]] const TensorModel& model() const { return m_tensors; }
    [[nodiscard]] TensorPanel& panel() const { return *m_panel; }

    /// -1: nothing happens.
    void goTo(int tensor);
    void goToFirst();
    void step(int rows);
    /// Of the selected tensors.
    void pin(bool isPinned);
    void exclude(bool isExcluded);
    void copyPath();
    /// Tensors that pass the filter.
    [[nodiscard]] std::vector<int> filtered() const;
    /// Those whose rows are selected; without a row, the selected tensor.
    [[nodiscard]] std::vector<int> selected() const;
    /// What is done with all is done with these: selected rows, if they are several, else what the
    /// filter lets through.
    [[nodiscard]] std::vector<int> listed() const;

private:
    void expectNeighbours();
    void followDump();

    Document& m_document;
    TensorModel m_tensors;
    TensorPanel* m_panel;
    QString m_dump;                     ///< that the filter is for
    QHash<QString, QString> m_filters;  ///< of the dumps before, by path
};

}  // namespace calibscope
