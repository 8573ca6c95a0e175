// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/candidates.h"
#include "core/recipes/outcome.h"
#include "ui/document/workbench.h"
#include "ui/queries/engine_request.h"
#include "ui/queries/preview_queue.h"

#include <QObject>
#include <QString>

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace calibscope {

/// A number that calibrators are compared by over all tensors.
enum class MatrixMetric { Sqnr, Mse, Scale, ClippedShare, Threshold };
constexpr std::size_t matrixMetricCount = 5;

/// Result of one candidate on one tensor: of an outcome the few numbers that a table of thousands
/// of tensors shows.
struct MatrixCell
{
    std::array<std::optional<double>, matrixMetricCount> values;  ///< by MatrixMetric
    bool isExactScale = true;
    bool hasExactMetrics = true;
    std::string problem;  ///< why there are none; empty: there are

    [[nodiscard]] std::optional<double> value(MatrixMetric metric) const
    {
        return values[static_cast<std::size_t>(metric)];
    }
    [[nodiscard]] bool isExact(MatrixMetric metric) const;
};

/// Of a scale per channel: scale and threshold of the widest one.
[[nodiscard]] MatrixCell matrixCell(const Outcome& outcome);

/// A tensor's cells by column; nothing where the candidate is none of the tensor's, or was not
/// computed yet.
struct MatrixRow
{
    std::vector<std::optional<MatrixCell>> cells;  ///< may be fewer than there are columns
    QString problem;      ///< why the tensor could not be read, a sentence; empty: it could
    bool isRead = false;  ///< all its cells are there

    [[nodiscard]] const MatrixCell* cell(std::size_t column) const
    {
        return column < cells.size() && cells[column] ? &*cells[column] : nullptr;
    }
};

/// Results of each candidate on each tensor, read one tensor at a time in the background. What was
/// read stays until it is dropped: it may be stopped and started again.
class MatrixReader : public QObject
{
    Q_OBJECT

public:
    /// The request for a tensor; the candidates are those of the choices.
    struct Question
    {
        protocol::ViewRequest request;
        std::vector<CandidateName> candidates;
    };
    /// Asked when a tensor's turn has come: thousands may wait for it.
    using QuestionOf = std::function<Question(int tensor)>;

    MatrixReader(Engine& engine, QuestionOf questionOf, QObject* parent = nullptr);

    /// Reads what is not there yet of these, in their order; replaces what was still to be read.
    void start(const std::vector<int>& tensors);
    void stop();
    /// These come first, as far as they are waiting: they are on screen.
    void prefer(const std::vector<int>& tensors) { m_waiting.prefer(tensors); }
    /// Begins nothing further while the user waits for something else.
    void setPaused(bool isPaused);

    /// Another dump is open.
    void clear();
    /// These are understood otherwise than before.
    void dropTensors(const std::vector<int>& tensors);
    /// These candidates compute something else than before; their columns stay.
    void dropColumns(const std::set<std::string>& ids);
    /// There is no such candidate any more.
    void removeColumn(const std::string& id);

    [[nodiscard]] bool isRunning() const { return m_request.isAtWork() || !m_waiting.isEmpty(); }
    /// Tensors that start() was for; 0 once it was stopped before its end.
    [[nodiscard]] std::size_t total() const { return m_total; }
    [[nodiscard]] std::size_t done() const;  ///< of these
    /// Candidates in the order in which they came up; where two are called the same on different
    /// tensors, the later one is numbered.
    [[nodiscard]] const std::vector<CandidateName>& columns() const { return m_columns; }
    [[nodiscard]] const MatrixRow* row(int tensor) const;  ///< nullptr: nothing is there of it

Q_SIGNALS:
    void started();
    void columnsAdded(int first, int last);
    void columnRemoved(int column);
    void rowChanged(int tensor);
    void cleared();  ///< columns too
    void progressed(int done, int total);
    void stopped();  ///< at the end, by stop() or clear()

private:
    void startNext();
    void ask(int tensor, const Question& question);
    void finish(int tensor, const std::vector<CandidateName>& candidates,
                const Answer<protocol::TensorView>& answer);
    [[nodiscard]] std::size_t columnOf(const CandidateName& candidate);
    [[nodiscard]] Question missingOf(int tensor);
    void drop();
    void endIfDone();

    Engine& m_engine;
    QuestionOf m_questionOf;
    PreviewQueue m_waiting;
    std::vector<CandidateName> m_columns;
    std::map<std::string, std::size_t> m_columnOf;  ///< by the candidate's id
    std::map<int, MatrixRow> m_rows;
    std::size_t m_total = 0;
    EngineRequest m_request;
    int m_readTensor = -1;  ///< of the request at work
    bool m_isPaused = false;
    bool m_isRunning = false;
};

}  // namespace calibscope
