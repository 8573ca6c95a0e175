#include "ui/widgets/inspector.h"

#include "ui/widgets/fact_view.h"
#include "ui/widgets/outcome_table.h"

#include <QTimer>
#include <QVBoxLayout>

namespace calibscope {

Inspector::Inspector(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_table(new OutcomeTable(m_outcomes, this)),
      m_facts(new FactView(this)),
      m_update(new QTimer(this))
{
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 8);
    layout->setSpacing(4);
    m_table->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    layout->addWidget(m_table);
    layout->addWidget(m_facts, 1);

    connect(&m_outcomes, &OutcomeModel::tickRequested, &session, &Session::setTicked);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &Inspector::showFacts);
    // One selection is several signals: the texts are laid out once, after the plots are drawn.
    m_update->setSingleShot(true);
    const auto showSoon = qOverload<>(&QTimer::start);
    connect(m_update, &QTimer::timeout, this, &Inspector::showRows);
    connect(&session, &Session::selectionChanged, m_update, showSoon);
    connect(&session, &Session::viewChanged, m_update, showSoon);
    connect(&session, &Session::tensorsChanged, m_update, showSoon);
    connect(&session, &Session::ticksChanged, m_update, showSoon);
    connect(&session, &Session::outcomesChanged, m_update, showSoon);
    connect(&session, &Session::recipeChanged, this, [this] {
        m_table->setCurrentIndex({});
        m_update->start();
    });
    showRows();
}

void Inspector::showRows()
{
    const TensorInfo* tensor = m_session.selectedTensor();
    m_outcomes.setRows(tensor && tensor->isReadable() ? m_session.outcomeRows()
                                                      : std::vector<OutcomeRow>());
    m_table->setVisible(m_outcomes.rowCount() > 0);
    showFacts();
}

/// The row that the user picked, else the chosen recipe's; -1 without rows.
int Inspector::detailedRow() const
{
    const QModelIndex current = m_table->currentIndex();
    if (current.isValid())
        return current.row();
    for (int row = 0; row < m_outcomes.rowCount(); ++row)
        if (m_outcomes.row(row).isChosenRecipes)
            return row;
    return m_outcomes.rowCount() > 0 ? 0 : -1;
}

void Inspector::showFacts()
{
    std::vector<FactSection> sections;
    const int row = detailedRow();
    if (row >= 0)
        sections.push_back(outcomeFacts(m_outcomes.row(row)));
    if (const serve::TensorView* view = m_session.reader().view())
        sections.push_back(statisticsFacts(view->profile));
    if (row >= 0 && m_outcomes.row(row).hasResult())
        sections.push_back(resultFacts(m_outcomes.row(row)));
    if (const TensorInfo* tensor = m_session.selectedTensor())
        sections.push_back(provenanceFacts(*tensor));
    else if (m_session.dumpState() == Session::DumpState::Open)
        sections.push_back(recipeFacts(m_session.chosenRecipe()));
    m_facts->setSections(std::move(sections));
}

}  // namespace calibscope
