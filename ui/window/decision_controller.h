// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/best_gains.h"
#include "ui/document/document.h"
#include "ui/document/session_keeper.h"
#include "ui/queries/engine.h"
#include "ui/widgets/message_bar.h"

#include <QObject>
#include <QString>

#include <string>
#include <vector>

namespace calibscope {

class DecisionExport;
class MessageController;
class TensorListController;

/// Accepts calibrators for tensors, one or all that are listed, and writes what was decided.
class DecisionController : public QObject
{
    Q_OBJECT

public:
    /// `background` computes what is exported. All must outlive this.
    DecisionController(Document& document, Engine& background, SessionKeeper& keeper,
                       MessageController& messages, TensorListController& list, QWidget& window);

    void acceptSelected();
    /// Accepts the calibrator that gains most over the recipe, where it is known (betterOn()).
    void acceptBetter();
    /// The best of each that is listed, where it gains as much as the user asks for.
    void acceptBestOfListed();
    /// Those that gain so much, as they were shown.
    void acceptBest(const BestGains& best, double leastDb);
    /// Reports what the last step has accepted, with the way back; or that nothing changed.
    void sayAccepted(const QString& sentence, bool hasChanged);
    void clearSelected();
    /// All that are listed (TensorListController::listed()): what would be accepted for the
    /// selected one; without a selection, what the chosen recipe does with each.
    void acceptShown();
    void clearShown();
    /// Of the listed ones what is not decided yet: for each what the chosen recipe does with it.
    void acceptListedByRecipe();
    /// The same of all tensors.
    void acceptByRecipe();
    void exportAll();

private:
    using Decisions = decltype(Workbench::decisions);

    [[nodiscard]] std::string candidateToAccept() const;
    [[nodiscard]] std::vector<MessageBar::Remedy> undoOf(const Decisions& before);
    /// With undoOf(), and in the log.
    void say(const QString& sentence, const Decisions& before);
    void acceptMany(std::vector<int> tensors, bool byRecipe);
    void reportReplaced(const DocumentChange& change);
    void write(const QString& path, const DecisionExport& job);

    Document& m_document;
    Engine& m_background;
    SessionKeeper& m_keeper;
    MessageController& m_messages;
    TensorListController& m_list;
    QWidget& m_window;
    bool m_isTakingBack = false;  ///< what undoOf() does is not reported
};

}  // namespace calibscope
