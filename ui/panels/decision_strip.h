#pragma once

#include "ui/document/session.h"

#include <QWidget>

class QLineEdit;
class QToolButton;

namespace calibscope {

class ElidedLabel;

/// The decision on the selected tensor, with its remark; or what it would be.
class DecisionStrip : public QWidget
{
    Q_OBJECT

public:
    explicit DecisionStrip(Session& session, QWidget* parent = nullptr);

    /// `label`: what would be accepted for the tensor; empty: nothing can be.
    void show(const std::string& label);

private:
    Session& m_session;
    std::string m_label;
    ElidedLabel* m_state;
    QToolButton* m_settle;
    QToolButton* m_unsettle;
    QLineEdit* m_remark;
};

}  // namespace calibscope
