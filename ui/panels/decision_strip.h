#pragma once

#include "ui/document/document.h"

#include <QWidget>

class QLineEdit;
class QToolButton;

namespace calibscope {

class ElidedLabel;

/// What was settled for the selected tensor, with its remark; or what would be.
class DecisionStrip : public QWidget
{
    Q_OBJECT

public:
    explicit DecisionStrip(Document& document, QWidget* parent = nullptr);

    /// `candidate`: what the tensor would be settled on; empty: nothing can be.
    void show(const CandidateName& candidate);

private:
    Document& m_document;
    CandidateName m_candidate;
    ElidedLabel* m_state;
    QToolButton* m_settle;
    QToolButton* m_unsettle;
    QLineEdit* m_remark;
};

}  // namespace calibscope
