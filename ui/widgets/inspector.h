#pragma once

#include "ui/models/outcome_model.h"
#include "ui/session.h"

#include <QWidget>

class QTimer;

namespace calibscope {

class FactView;
class OutcomeTable;

/// What the calibrators found for the selected tensor, and the details of one of them.
class Inspector : public QWidget
{
    Q_OBJECT

public:
    explicit Inspector(Session& session, QWidget* parent = nullptr);

    [[nodiscard]] const OutcomeModel& outcomes() const { return m_outcomes; }

private:
    void showRows();
    void showFacts();
    [[nodiscard]] int detailedRow() const;

    Session& m_session;
    OutcomeModel m_outcomes;
    OutcomeTable* m_table;
    FactView* m_facts;
    QTimer* m_update;
};

}  // namespace calibscope
