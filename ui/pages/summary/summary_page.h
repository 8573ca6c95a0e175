// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "ui/document/best_gains.h"
#include "ui/document/document.h"
#include "ui/document/dump_summary.h"
#include "ui/document/sqnr_overview.h"
#include "ui/panels/summary_card.h"

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

/// The lines of the cards on the summary page. A link is "filter:QUERY" or "tensor:PLACE".

/// Bars are by tensors, as the numbers beside them.
[[nodiscard]] std::vector<CardRow> shareRows(const std::vector<TensorShare>& shares,
                                             std::uint64_t allTensors);
/// With the titles of the rules in place of their ids, where they are known.
[[nodiscard]] std::vector<CardRow> ruleRows(const DumpSummary& summary,
                                            const std::vector<RuleUse>& rules);
[[nodiscard]] std::vector<CardRow>
attributeRows(const std::map<std::string, std::string>& attributes);
[[nodiscard]] std::vector<CardRow> warningRows(const std::vector<std::string>& warnings);
[[nodiscard]] std::vector<CardRow> unreadableRows(const DumpSummary& summary,
                                                  const std::vector<TensorInfo>& tensors);
/// Those that reading has found to be damaged, each with its reason.
[[nodiscard]] std::vector<CardRow> failedRows(const std::map<int, QString>& problems,
                                              const std::vector<TensorInfo>& tensors);
/// All of them in one line: "float32 28, float16 2".
[[nodiscard]] CardRow shareLine(const QString& name, const std::vector<TensorShare>& shares);
/// How many tensors have each finding of the diagnosis, most first; rounding, which nearly all have,
/// last.
[[nodiscard]] std::vector<CardRow> findingRows(const std::map<int, protocol::Preview>& previews);
/// The decisions, against the chosen recipe.
[[nodiscard]] std::vector<CardRow> decisionRows(const DecisionOverview& overview);
/// The lowest SQNR first.
[[nodiscard]] std::vector<CardRow> worstRows(const std::map<int, protocol::Preview>& previews,
                                             const std::vector<TensorInfo>& tensors,
                                             std::size_t most);

/// "614 400", "12.3 million".
[[nodiscard]] QString largeCountLabel(std::uint64_t count);

class BestOffer;
class MessageBar;
class SqnrStrip;

/// What is shown of an open dump while no tensor is chosen: how well all tensors do and what was
/// decided, what can't be read, how it was understood, and what it holds.
class SummaryPage : public QScrollArea
{
    Q_OBJECT

public:
    explicit SummaryPage(Document& document, QWidget* parent = nullptr);

    /// What is usually done next: a button with these words for the action, with its key.
    void addStep(const QString& text, QAction& action);

    /// All that it says, for tests and screen readers.
    [[nodiscard]] QString textSummary() const;

Q_SIGNALS:
    /// The tensors that a query of the list's filter lets through are wanted.
    void filterRequested(const QString& query);
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
