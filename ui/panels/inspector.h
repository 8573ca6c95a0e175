#pragma once

#include "ui/document/session.h"

#include <QWidget>

class QTimer;
class QToolButton;

namespace calibscope {

class AddMenu;
class CardDetails;
class CardList;
class DecisionStrip;
class FactView;

/// The calibrators of the selected tensor as cards, and below them the facts of the tensor and of
/// the open card's result.
class Inspector : public QWidget
{
    Q_OBJECT

public:
    explicit Inspector(Session& session, QWidget* parent = nullptr);

    [[nodiscard]] CardList& cards() const { return *m_cards; }
    [[nodiscard]] CardDetails& details() const { return *m_details; }
    [[nodiscard]] AddMenu& addMenu() const { return *m_addMenu; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void layOut();
    void connectCards();
    void connectDetails();
    void connectSession();
    void showRows();
    void showDetails();
    void showFacts();
    void toggle(const std::string& label);
    /// A manual range with other settings is a card of its own.
    void edit(const std::string& label, const Choice& choice, const QString& parameter);
    void remove(const std::string& label);
    [[nodiscard]] Choice ownChoice(const OutcomeRow& row);
    [[nodiscard]] const OutcomeRow* row(const std::string& label) const;
    [[nodiscard]] const OutcomeRow* detailedRow() const;

    Session& m_session;
    std::vector<OutcomeRow> m_rows;
    std::optional<Consumers> m_consumers;  ///< of the dump's tensors, once they were needed
    AddMenu* m_addMenu;
    QToolButton* m_addButton;
    CardDetails* m_details;
    CardList* m_cards;
    DecisionStrip* m_decision;
    FactView* m_facts;
    QTimer* m_update;
};

}  // namespace calibscope
