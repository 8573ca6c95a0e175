// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/layer_results.h"
#include "ui/queries/engine_request.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace calibscope {

class Document;

/// A layer of the open dump, and what is known of its output's error.
struct LayerRow
{
    LayerResult found;  ///< as listed, or with numbers
    int input = -1;     ///< tensors of the dump; -1: not in it
    int weight = -1;
    int output = -1;
    std::vector<protocol::ChoiceOnTensor> choices;  ///< what its operands are quantized by
    bool isPossible = true;                         ///< as it is listed, it can be computed
    std::uint64_t positions = 0;  ///< that the numbers were asked for; 0: there are none yet
    bool isExact = false;         ///< all positions were asked for
    bool isPending = false;       ///< numbers, or better ones, are to come
    QString problem;  ///< why it could not be computed, a sentence; of those listed without, whyNot
    /// Effects of the candidates on its operands; decided.whyNot says why there are none.
    std::optional<LayerCandidates> trials;

    [[nodiscard]] bool isComputable() const { return isPossible; }
    [[nodiscard]] bool hasNumbers() const { return found.outputSqnrDb.has_value(); }
    /// Why there are no numbers and none are to come; blank: there are, or will be.
    [[nodiscard]] QString reason() const;
};

/// Computes what quantizing its operands costs at the output of each layer of a document's dump,
/// layer by layer in the background: first roughly, then better. An operand is quantized by what
/// was accepted for it or for what its values were moved from, else as the chosen recipe says, else
/// it stays float. What changes is computed anew. Begins when somebody wants to see it.
class LayerReader : public QObject
{
    Q_OBJECT

public:
    static constexpr std::uint64_t roughPositions = 256;
    static constexpr std::uint64_t finePositions = 4096;
    static constexpr std::uint64_t trialPositions = 1024;
    static constexpr std::uint64_t seed = 1;

    /// `engine` answers what nobody waits for. Both must outlive it.
    LayerReader(const Document& document, Engine& engine, QObject* parent = nullptr);

    /// Lists and computes what is not known yet, from now on.
    void start();
    [[nodiscard]] bool isStarted() const { return m_isStarted; }
    /// From all positions, next.
    void computeExactly(std::size_t row);
    /// Its numbers come first, as far as they are still to come.
    void prefer(std::size_t row);
    /// Tries the candidates on the operands of all layers, before anything else; what is known is
    /// not tried again.
    void startTrials();
    void stopTrials();
    [[nodiscard]] bool isTrying() const { return m_isTrying; }
    /// The candidates compute something else than before.
    void forgetTrials();
    /// Begins nothing further while the user waits for something else.
    void setPaused(bool isPaused);

    void clear();
    /// The tensors are understood otherwise than before.
    void listAnew();
    /// Computes the layers anew whose operands are quantized otherwise than before.
    void followDecisions();

    /// In the graph's order.
    [[nodiscard]] const std::vector<LayerRow>& rows() const { return m_rows; }
    [[nodiscard]] bool isListing() const
    {
        return m_isStarted && !m_isListed && m_problem.isEmpty();
    }
    /// Why there is no list, a sentence.
    [[nodiscard]] const QString& problem() const { return m_problem; }
    [[nodiscard]] std::size_t computable() const;
    [[nodiscard]] std::size_t computed() const;  ///< of these, roughly at least
    [[nodiscard]] std::size_t refined() const;   ///< of these, from finePositions or all
    [[nodiscard]] std::size_t tried() const;     ///< of these, with trials
    [[nodiscard]] bool isIdle() const
    {
        return !m_request.isAtWork() && m_jobs.empty() && !m_isTrying;
    }

    /// The least SQNR of a layer's output with that tensor alone quantized, over the layers that it
    /// is an operand of; nothing where none is known.
    [[nodiscard]] std::optional<double> atOutputs(int tensor) const;

    /// The request for a layer as it stands.
    [[nodiscard]] protocol::LayerRequest requestOf(const LayerRow& row,
                                                   std::uint64_t positions) const;
    /// All candidates of both operands.
    [[nodiscard]] protocol::LayerTrialsRequest trialsRequestOf(const LayerRow& row) const;
    /// What is accepted for all tensors, or what the recipe says of those that are operands.
    [[nodiscard]] std::vector<protocol::ChoiceOnTensor> allChoices() const;

Q_SIGNALS:
    void listed();
    void rowChanged(std::size_t row);
    void idle();

private:
    struct Job
    {
        std::size_t row = 0;
        std::uint64_t positions = 0;
    };

    void list();
    void takeList(const protocol::LayerList& list);
    void addJobs();
    void startNext();
    void tellChanged(std::size_t row);
    void take(const Job& job, Answer<LayerResult> answer);
    [[nodiscard]] bool startTrial();
    [[nodiscard]] std::vector<TensorRef> edited() const;
    [[nodiscard]] int tensorOf(const std::string& path) const;
    [[nodiscard]] std::vector<protocol::ChoiceOnTensor> choicesOf(const LayerRow& row) const;
    void addChoiceOf(int tensor, std::vector<protocol::ChoiceOnTensor>& choices) const;
    [[nodiscard]] int movedFrom(int tensor) const;

    const Document& m_document;
    Engine& m_engine;
    std::vector<LayerRow> m_rows;
    mutable std::optional<std::map<int, double>> m_atOutputs;  ///< nothing: something changed since
    std::deque<Job> m_jobs;
    std::optional<Job> m_atWork;
    EngineRequest m_request;
    QString m_problem;
    bool m_isStarted = false;
    bool m_isListed = false;
    bool m_isPaused = false;
    bool m_isTrying = false;
};

}  // namespace calibscope
