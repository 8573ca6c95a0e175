// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/matrix_reader.h"

#include <algorithm>
#include <utility>

namespace calibscope {

bool MatrixCell::isExact(MatrixMetric metric) const
{
    switch (metric) {
    case MatrixMetric::Sqnr:
    case MatrixMetric::Mse:
    case MatrixMetric::ClippedShare: return hasExactMetrics;
    case MatrixMetric::Scale:
    case MatrixMetric::Threshold: return isExactScale;
    }
    return false;
}

MatrixCell matrixCell(const Outcome& outcome)
{
    if (!outcome.problem.empty())
        return {.values = {}, .problem = outcome.problem};
    const ScaleRow& whole = outcome.whole;
    return {.values = {whole.metric("sqnr_db"), whole.metric("mse"), whole.quantizer.scale,
                       whole.metric("clipped_share"), whole.clip.threshold},
            .isExactScale = whole.isExact,
            .hasExactMetrics = whole.hasExactMetrics,
            .problem = {}};
}

MatrixReader::MatrixReader(Engine& engine, QuestionOf questionOf, QObject* parent)
    : QObject(parent), m_engine(engine), m_questionOf(std::move(questionOf))
{}

void MatrixReader::start(const std::vector<int>& tensors)
{
    drop();
    m_waiting.replace(tensors);
    m_total = tensors.size();
    m_isRunning = true;
    Q_EMIT started();
    startNext();
}

void MatrixReader::stop()
{
    drop();
    m_waiting.clear();
    m_total = 0;  // not all that was asked for was read
    endIfDone();
}

void MatrixReader::setPaused(bool isPaused)
{
    m_isPaused = isPaused;
    startNext();
}

void MatrixReader::clear()
{
    stop();
    m_rows.clear();
    m_columns.clear();
    m_columnOf.clear();
    m_total = 0;
    Q_EMIT cleared();
}

void MatrixReader::dropTensors(const std::vector<int>& tensors)
{
    for (const int tensor : tensors) {
        if (tensor == m_readTensor) {
            drop();
            m_waiting.addFirst(tensor);
        }
        if (m_rows.erase(tensor) == 0)
            continue;
        if (m_isRunning)
            m_waiting.add(tensor);
        Q_EMIT rowChanged(tensor);
    }
    startNext();
}

void MatrixReader::dropColumns(const std::set<std::string>& ids)
{
    if (m_readTensor >= 0) {
        const int tensor = m_readTensor;
        drop();
        m_waiting.addFirst(tensor);
    }
    for (auto& [tensor, row] : m_rows) {
        bool hasLost = false;
        for (const std::string& id : ids)
            if (const auto column = m_columnOf.find(id);
                column != m_columnOf.end() && row.cell(column->second)) {
                row.cells[column->second].reset();
                hasLost = true;
            }
        if (!hasLost)
            continue;
        row.isRead = false;
        if (m_isRunning)
            m_waiting.add(tensor);
        Q_EMIT rowChanged(tensor);
    }
    startNext();
}

void MatrixReader::removeColumn(const std::string& id)
{
    const auto found = m_columnOf.find(id);
    if (found == m_columnOf.end())
        return;
    const auto column = static_cast<std::ptrdiff_t>(found->second);
    for (auto& [tensor, row] : m_rows)
        if (column < std::ssize(row.cells))
            row.cells.erase(row.cells.begin() + column);
    m_columns.erase(m_columns.begin() + column);
    m_columnOf.clear();
    for (std::size_t place = 0; place < m_columns.size(); ++place)
        m_columnOf[m_columns[place].id] = place;
    Q_EMIT columnRemoved(static_cast<int>(column));
}

std::size_t MatrixReader::done() const
{
    const std::size_t left = m_waiting.size() + (m_request.isAtWork() ? 1 : 0);
    return m_total - std::min(m_total, left);
}

const MatrixRow* MatrixReader::row(int tensor) const
{
    const auto found = m_rows.find(tensor);
    return found == m_rows.end() ? nullptr : &found->second;
}

void MatrixReader::startNext()
{
    if (m_isPaused)
        return;
    while (!m_request.isAtWork()) {
        const std::optional<int> tensor = m_waiting.take();
        if (!tensor)
            return endIfDone();
        const Question question = missingOf(*tensor);
        if (question.candidates.empty())
            m_rows[*tensor].isRead = true;
        else
            ask(*tensor, question);
    }
}

/// Only what is not there yet: a candidate that was changed does not cost the others.
MatrixReader::Question MatrixReader::missingOf(int tensor)
{
    Question whole = m_questionOf(tensor);
    Question missing{.request = whole.request, .candidates = {}};
    missing.request.choices.clear();
    const MatrixRow* known = row(tensor);
    for (std::size_t place = 0; place < whole.candidates.size(); ++place) {
        const std::size_t column = columnOf(whole.candidates[place]);
        if (known && known->cell(column))
            continue;
        missing.candidates.push_back(std::move(whole.candidates[place]));
        missing.request.choices.push_back(std::move(whole.request.choices[place]));
    }
    return missing;
}

std::size_t MatrixReader::columnOf(const CandidateName& candidate)
{
    const auto [found, isNew] = m_columnOf.try_emplace(candidate.id, m_columns.size());
    if (isNew) {
        m_columns.push_back(toldApart(candidate, m_columns));
        const auto column = static_cast<int>(found->second);
        Q_EMIT columnsAdded(column, column);
    }
    return found->second;
}

void MatrixReader::ask(int tensor, const Question& question)
{
    m_request.ask(m_engine, question.request,
                  [this, tensor,
                   candidates = question.candidates](const Answer<protocol::TensorView>& answer) {
                      finish(tensor, candidates, answer);
                  });
    m_readTensor = tensor;
}

void MatrixReader::finish(int tensor, const std::vector<CandidateName>& candidates,
                          const Answer<protocol::TensorView>& answer)
{
    m_readTensor = -1;
    MatrixRow& row = m_rows[tensor];
    row.problem = answer.failure;
    row.cells.resize(m_columns.size());
    if (answer.value) {
        const std::vector<Outcome>& outcomes = answer.value->outcomes;
        for (std::size_t place = 0; place < std::min(candidates.size(), outcomes.size()); ++place)
            row.cells[columnOf(candidates[place])] = matrixCell(outcomes[place]);
        row.isRead = true;
    }
    Q_EMIT rowChanged(tensor);
    Q_EMIT progressed(static_cast<int>(done()), static_cast<int>(m_total));
    startNext();
}

void MatrixReader::drop()
{
    m_readTensor = -1;
    m_request.drop();
}

void MatrixReader::endIfDone()
{
    if (!isRunning() && std::exchange(m_isRunning, false))
        Q_EMIT stopped();
}

}  // namespace calibscope
