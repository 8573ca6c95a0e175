// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/candidates.h"
#include "ui/queries/engine_request.h"
#include "ui/queries/preview_queue.h"

#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace calibscope {

/// One calibrator's result on a pair.
struct DriftCell
{
    Choice choice;  ///< that it is of
    double scaleOfA = 0.0;
    std::optional<double> scaleRatio;  ///< B's over A's
    std::optional<double> sqnrLossDb;  ///< of B under A's scales
    bool isExact = true;               ///< of the loss
    std::string problem;               ///< why there is no number, a sentence
};

/// Preview of a pair.
struct DriftRow
{
    bool isRead = false;                     ///< of its drift
    std::optional<Drift> drift;              ///< nothing: not read, or no finite values
    std::map<std::string, DriftCell> cells;  ///< by the candidate's id
    CandidateName standing;                  ///< accepted, else the chosen recipe's; empty: none
    QString problem;                         ///< why it could not be read, a sentence
    Extents a = {};
    Extents b = {};
    std::vector<double> countsA = {};  ///< as in protocol::Compared
    std::vector<double> countsB = {};

    /// Of `standing`; nullptr: not known.
    [[nodiscard]] const DriftCell* standingCell() const;
};

/// Compares the pairs of two dumps one by one in the background. What was read stays: it may be
/// stopped and started again.
class DriftReader : public QObject
{
    Q_OBJECT

public:
    /// The request for a pair.
    struct Question
    {
        protocol::CompareRequest request;
        std::vector<CandidateName> candidates;  ///< of its choices
        CandidateName standing;
    };
    /// Asked when a pair's turn has come: thousands may wait for it.
    using QuestionOf = std::function<Question(int pair)>;

    DriftReader(Engine& engine, QuestionOf questionOf, QObject* parent = nullptr);

    /// Other pairs: forgets everything and reads so many.
    void restart(int pairs);
    /// Other calibrators are wanted: reads what is not there yet of each pair.
    void refresh();
    /// These are understood otherwise than before.
    void forgetPairs(const std::vector<int>& pairs);
    void stop();
    void resume();
    /// These come first, as far as they are waiting: they are on screen.
    void prefer(const std::vector<int>& pairs) { m_waiting.prefer(pairs); }
    /// Begins nothing further while the user waits for something else.
    void setPaused(bool isPaused);

    [[nodiscard]] int pairs() const { return static_cast<int>(m_rows.size()); }
    [[nodiscard]] const DriftRow& row(int pair) const;
    [[nodiscard]] int done() const { return m_done; }  ///< pairs whose drift is known, or can't be
    [[nodiscard]] bool isRunning() const { return m_isRunning; }
    /// By the user, before all was read.
    [[nodiscard]] bool isStopped() const { return m_isStopped; }
    /// What is wanted, in the order in which it came up; where two are called the same on
    /// different tensors, the later one is numbered.
    [[nodiscard]] const std::vector<CandidateName>& columns() const { return m_columns; }

Q_SIGNALS:
    void restarted();
    void columnsChanged();
    void rowChanged(int pair);
    void runningChanged();

private:
    void queueAll();
    void startNext();
    void workOn(int pair);
    void noteColumns(const std::vector<CandidateName>& candidates);
    void ask(int pair, Question question);
    void finish(int pair, const Question& question, Answer<protocol::Compared> answer);
    void drop();
    void setRunning(bool isRunning);

    Engine& m_engine;
    QuestionOf m_questionOf;
    PreviewQueue m_waiting;
    std::vector<DriftRow> m_rows;
    std::vector<CandidateName> m_columns;
    int m_done = 0;
    EngineRequest m_request;
    int m_readPair = -1;
    bool m_isPaused = false;
    bool m_isRunning = false;
    bool m_isStopped = false;
};

}  // namespace calibscope
