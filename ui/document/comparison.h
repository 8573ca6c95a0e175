// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/match.h"
#include "ui/document/document.h"
#include "ui/queries/drift_reader.h"
#include "ui/queries/engine_request.h"
#include "ui/queries/pair_reader.h"

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace calibscope {

/// The open dump, A, beside a second one, B: which tensors belong together, and how far each pair
/// has drifted.
class Comparison : public QObject
{
    Q_OBJECT

public:
    enum class State {
        None,  ///< there is no second dump
        Opening,
        Matching,
        Ready,
        Failed,  ///< B could not be opened
    };

    /// Follows the document, whose workbench says which dump is B. All must outlive it: `waited`
    /// opens the dump and reads what is looked at, `background` measures drift.
    Comparison(Document& document, Engine& waited, Engine& background, QObject* parent = nullptr);
    ~Comparison() override;

    /// Reads the second dump again.
    void reopen();
    void stopOpening();

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] Document& document() const { return m_document; }     ///< of A
    [[nodiscard]] QString path() const;                                 ///< of B
    [[nodiscard]] const QString& problem() const { return m_problem; }  ///< of Failed
    [[nodiscard]] const protocol::DumpOpened& dump() const { return m_dump; }
    /// B's, as they are to be understood.
    [[nodiscard]] const std::vector<TensorInfo>& tensors() const { return m_tensors.all(); }
    [[nodiscard]] TensorRef recorded(int tensorOfB) const;
    /// Empty unless Ready.
    [[nodiscard]] const TensorMatches& matches() const { return m_matches; }
    /// Index in matches().pairs of a tensor of A, of B; -1: it has no counterpart.
    [[nodiscard]] int pairOfA(int tensor) const;
    [[nodiscard]] int pairOfB(int tensor) const;
    /// By pairs, in the order of matches().
    [[nodiscard]] DriftReader& drift() { return m_drift; }
    [[nodiscard]] const DriftReader& drift() const { return m_drift; }
    /// The pair to be read in full.
    [[nodiscard]] DriftReader::Question question(int pair);
    /// The pair on screen, in full.
    [[nodiscard]] const PairReader& looked() const { return m_looked; }

    /// Looks at a tensor that B alone holds, until another one of A is selected.
    void lookAtB(int tensor);
    /// Tensors that are looked at: A's selected one and its counterpart, or one of B alone; -1:
    /// none.
    [[nodiscard]] int lookedAtA() const;
    [[nodiscard]] int lookedAtB() const;
    /// The values are read only while somebody looks.
    void setLooking(bool isLooking);

    /// Nothing is being read and nothing waits for it.
    [[nodiscard]] bool isIdle() const;

Q_SIGNALS:
    void stateChanged();  ///< or another match
    void lookedAtChanged();
    void idle();

private:
    void follow();
    void followDocument();
    void startOpening();
    void finishOpening(Answer<protocol::DumpOpened> answer);
    void matchAnew();
    void startMatching();
    void finishMatching(TensorMatches matches);
    void setState(State state);
    void forgetMatches();
    void look();
    void tellIfIdle();

    Document& m_document;
    Engine& m_waited;
    std::optional<Consumers> m_consumers;  ///< of A
    ComparedWith m_with;
    State m_state = State::None;
    QString m_problem;
    EngineRequest m_opening;
    protocol::DumpOpened m_dump;
    DumpTensors m_tensors;
    TensorMatches m_matches;
    std::vector<int> m_pairOfA;
    std::vector<int> m_pairOfB;
    int m_onlyB = -1;  ///< looked at in place of the selected one
    bool m_isLooking = false;
    PairReader m_looked;
    int m_matching = 0;  ///< which one is wanted
    DriftReader m_drift;
    QThreadPool m_thread;
};

}  // namespace calibscope
