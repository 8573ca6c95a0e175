#pragma once

#include "ui/document/document.h"

#include <QWidget>

class QLineEdit;
class QToolButton;

namespace calibscope {

class ElidedLabel;

/// What was accepted for the selected tensor, with its remark; or what would be.
class DecisionStrip : public QWidget
{
    Q_OBJECT

public:
    explicit DecisionStrip(Document& document, QWidget* parent = nullptr);

    /// `candidate`: what would be accepted for the tensor; empty: nothing can be.
    void show(const CandidateName& candidate);

private:
    Document& m_document;
    CandidateName m_candidate;
    ElidedLabel* m_state;
    QToolButton* m_accept;
    QToolButton* m_clear;
    QLineEdit* m_remark;
};

}  // namespace calibscope
