// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/document/outcome_rows.h"
#include "ui/models/inspector_facts.h"

#include <QTextBrowser>
#include <QTimer>
#include <QWidget>

#include <span>
#include <vector>

class QLineEdit;
class QToolButton;

namespace calibscope {

class AddMenu;
class CardDetails;
class CardList;
class ElidedLabel;

/// The decision for the selected tensor, with its remark, or the one that would be accepted.
class DecisionStrip : public QWidget
{
    Q_OBJECT

public:
    explicit DecisionStrip(Document& document, QWidget* parent = nullptr);

    /// `proposed`, one of the rows, is what would be accepted for the tensor; nullptr: nothing can
    /// be. If it is not what the chosen recipe takes, its distance to that is shown.
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

/// Sections of facts as text that can be selected and copied.
class FactView : public QTextBrowser
{
    Q_OBJECT

public:
    explicit FactView(QWidget* parent = nullptr);

    void setSections(std::vector<FactSection> sections);

    /// None: what a name from a file looks like, nothing is loaded for it.
    QVariant loadResource(int, const QUrl&) override { return {}; }

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void render();
    void showHtml(const QString& html);

    std::vector<FactSection> m_sections;
    QString m_shown;  ///< laying it out takes milliseconds
};

/// The calibrators of the selected tensor as cards, and below them the facts of the tensor and of
/// the open card's result.
class Inspector : public QWidget
{
    Q_OBJECT

public:
    explicit Inspector(Document& document, QWidget* parent = nullptr);

    [[nodiscard]] CardList& cards() const { return *m_cards; }
    [[nodiscard]] CardDetails& details() const { return *m_details; }
    [[nodiscard]] AddMenu& addMenu() const { return *m_addMenu; }
    /// The keys go to the open card, or else to the first; false: there are no cards.
    bool focusCards();

protected:
    void changeEvent(QEvent* event) override;

private:
    void layOut();
    void connectCards();
    void connectDetails();
    void connectDocument();
    void showRows();
    void showDetails();
    void showFacts();
    void addDumpFacts(std::vector<FactSection>& sections) const;
    void toggle(const std::string& id);
    /// A manual range with other settings is a card of its own.
    void edit(const std::string& id, const Choice& choice, const QString& parameter);
    void remove(const std::string& id);
    [[nodiscard]] Choice ownChoice(const OutcomeRow& row);
    [[nodiscard]] const std::vector<OutcomeRow>& rows() const;
    [[nodiscard]] const OutcomeRow* row(const std::string& id) const;
    [[nodiscard]] const OutcomeRow* detailedRow() const;

    Document& m_document;
    AddMenu* m_addMenu;
    QToolButton* m_addButton;
    CardDetails* m_details;
    CardList* m_cards;
    DecisionStrip* m_decision;
    FactView* m_facts;
    int m_shown = -1;  ///< tensor of the cards
    QTimer* m_update;
    QTimer m_overviewUpdate;
};

}  // namespace calibscope
