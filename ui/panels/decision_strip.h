// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/document/outcome_rows.h"

#include <QWidget>

#include <span>

class QLineEdit;
class QToolButton;

namespace calibscope {

class ElidedLabel;

/// The decision for the selected tensor, with its remark, or the one that would be accepted.
class DecisionStrip : public QWidget
{
    Q_OBJECT

public:
    explicit DecisionStrip(Document& document, QWidget* parent = nullptr);

    /// `proposed`, one of the rows, is what would be accepted for the tensor; nullptr: nothing can
    /// be. If it is not what the chosen recipe takes, its distance to that is told.
    void show(const OutcomeRow* proposed, std::span<const OutcomeRow> rows);

private:
    Document& m_document;
    CandidateName m_candidate;
    ElidedLabel* m_state;
    ElidedLabel* m_note;
    QToolButton* m_accept;
    QToolButton* m_clear;
    QLineEdit* m_remark;
};

}  // namespace calibscope
