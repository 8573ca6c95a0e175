// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/best_gains.h"
#include "ui/document/document.h"

#include <QScrollArea>

#include <map>
#include <string>
#include <vector>

class QAction;
class QGridLayout;
class QLabel;
class QPushButton;
class QTimer;

namespace calibscope {

class BestOffer;
class Deployment;
class MessageBar;
class SqnrStrip;
class SummaryCard;
struct DumpSummary;

/// What is shown of an open dump while no tensor is chosen: how well all tensors do and what was
/// decided, what can't be read, how it was understood, and what it holds.
class SummaryPage : public QScrollArea
{
    Q_OBJECT

public:
    explicit SummaryPage(Document& document, QWidget* parent = nullptr);

    /// What is usually done next: a button with these words for the action, with its key.
    void addStep(const QString& text, QAction& action);

    /// Offers the best calibrators for the network's end, too.
    void addEnd(Deployment& deployment);

    /// All that it says, for tests and screen readers.
    [[nodiscard]] QString textSummary() const;

Q_SIGNALS:
    /// The tensors that a query of the list's filter lets through are wanted.
    void filterRequested(const QString& query);
    void tensorRequested(int tensor);
    /// The guess for that tensor is to be reviewed.
    void guessRequested(int tensor);
    /// The best of each is to be accepted, where it gains so much.
    void bestRequested(const calibscope::BestGains& best, double leastDb);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QWidget* makeHeader();
    [[nodiscard]] QWidget* makeOverview();
    [[nodiscard]] QWidget* makeButtons();
    void makeCards();
    void placeCards();
    void orderStops();
    void updateLater();
    void showAll();
    void showTotals(const DumpSummary& summary);
    void showUnreadable(const DumpSummary& summary);
    void showWorst();
    void showOverview();
    void showCoverage();
    [[nodiscard]] QString toldOf(int tensor) const;
    [[nodiscard]] std::vector<SummaryCard*> cards() const;
    void follow(const QString& link);

    Document& m_document;
    QLabel* m_name = nullptr;
    QLabel* m_place = nullptr;
    MessageBar* m_strip = nullptr;
    QLabel* m_totals = nullptr;
    QLabel* m_sentence = nullptr;
    QLabel* m_caption = nullptr;
    SqnrStrip* m_bars = nullptr;
    MessageBar* m_uncovered = nullptr;
    BestOffer* m_best = nullptr;
    QGridLayout* m_steps = nullptr;
    QPushButton* m_firstGuess = nullptr;
    QGridLayout* m_grid = nullptr;
    SummaryCard* m_roles = nullptr;
    SummaryCard* m_decisions = nullptr;
    SummaryCard* m_findings = nullptr;
    SummaryCard* m_storage = nullptr;
    SummaryCard* m_rules = nullptr;
    SummaryCard* m_worst = nullptr;
    SummaryCard* m_attributes = nullptr;
    SummaryCard* m_warnings = nullptr;
    SummaryCard* m_unreadable = nullptr;
    QTimer* m_update;       ///< many tensors may change at once
    QTimer* m_worstUpdate;  ///< previews come by hundreds
    QTimer* m_failed;       ///< so do those that could not be taken
    bool m_isStale = false;
};

}  // namespace calibscope
