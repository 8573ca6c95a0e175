// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/outcome.h"
#include "ui/document/document.h"
#include "ui/models/steps_model.h"

#include <QWidget>

#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QTableView;

namespace calibscope {

/// Why two calibrations differ on the selected tensor: one is turned into the other, an option at a
/// time, and each step tells what it changed. A step can be kept as a card.
class ExplainView : public QWidget
{
    Q_OBJECT

public:
    explicit ExplainView(Document& document, QWidget* parent = nullptr);

    /// The rows of the selected tensor have changed.
    void showRows();
    [[nodiscard]] QComboBox& from() const { return *m_from; }
    [[nodiscard]] QComboBox& to() const { return *m_to; }
    [[nodiscard]] QTableView& steps() const { return *m_steps; }

Q_SIGNALS:
    /// A step was kept under that label.
    void cardAdded(const std::string& label);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Entry
    {
        QString text;
        Choice choice;
        std::string candidate;  ///< its id; empty: a preset, which is not a candidate yet
        bool operator==(const Entry& other) const
        {
            return text == other.text && choice.isSameComputation(other.choice);
        }
    };

    void layOut();
    void listEntries();
    void chooseDefaults();
    void ask();
    [[nodiscard]] std::string candidateOf(const Entry& entry);
    void showSteps();
    void addStep();

    Document& m_document;
    std::vector<Entry> m_entries;
    QComboBox* m_from;
    QComboBox* m_to;
    QTableView* m_steps;
    QLabel* m_summary;
    QPushButton* m_add;
    TableModel<StepRow>* m_model;
    bool m_isAsking = false;  ///< which may add a card
};

}  // namespace calibscope
