#pragma once

#include <QTableView>

namespace calibscope {

class OutcomeModel;

/// The table of outcomes. Columns that don't fit are left out from the right rather than squeezed;
/// tooltips and the details below hold what they say.
class OutcomeTable : public QTableView
{
    Q_OBJECT

public:
    explicit OutcomeTable(OutcomeModel& outcomes, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitColumns();

    OutcomeModel& m_outcomes;
};

}  // namespace calibscope
