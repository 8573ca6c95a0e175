// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/drift_reader.h"

#include <QTimer>

#include <algorithm>
#include <numeric>
#include <utility>

namespace calibscope {

namespace {

/// Pairs that are looked at in one go: more would hold the window up where all is known already.
constexpr int mostAtOnce = 32;

DriftCell cellOf(const ChoiceComparison& comparison)
{
    DriftCell cell{.choice = comparison.a.choice,
                   .scaleOfA = comparison.a.problem.empty() && !hasPlaceholderScale(comparison.a)
                                   ? comparison.a.whole.quantizer.scale
                                   : 0.0,
                   .scaleRatio = comparison.scaleRatio(),
                   .sqnrLossDb = comparison.sqnrLossDb(),
                   .isExact = comparison.transferred && comparison.transferred->isExact,
                   .problem = comparison.whyNotTransferred};
    return cell;
}

}  // namespace

const DriftCell* DriftRow::standingCell() const
{
    const auto found = cells.find(standing.id);
    return found == cells.end() ? nullptr : &found->second;
}

DriftReader::DriftReader(Engine& engine, QuestionOf questionOf, QObject* parent)
    : QObject(parent), m_engine(engine), m_questionOf(std::move(questionOf))
{}

void DriftReader::restart(int pairs)
{
    drop();
    m_rows.assign(static_cast<std::size_t>(pairs), {});
    m_columns.clear();
    m_done = 0;
    m_isStopped = false;
    Q_EMIT restarted();
    queueAll();
}

void DriftReader::refresh()
{
    drop();
    m_columns.clear();  // told of with the first new ones
    if (m_isStopped)
        Q_EMIT columnsChanged();
    else
        queueAll();
}

void DriftReader::forgetPairs(const std::vector<int>& pairs)
{
    if (std::ranges::find(pairs, m_readPair) != pairs.end())
        drop();
    for (const int pair : pairs) {
        DriftRow& row = m_rows.at(static_cast<std::size_t>(pair));
        m_done -= row.isRead ? 1 : 0;
        row = {};
        m_waiting.addFirst(pair);
        Q_EMIT rowChanged(pair);
    }
    if (!m_isStopped) {
        setRunning(!m_waiting.isEmpty() || m_request.isAtWork());
        startNext();
    }
}

void DriftReader::queueAll()
{
    std::vector<int> all(m_rows.size());
    std::iota(all.begin(), all.end(), 0);
    m_waiting.replace(all);
    setRunning(!all.empty());
    startNext();
}

void DriftReader::stop()
{
    drop();
    m_isStopped = m_isRunning;
    setRunning(false);
}

void DriftReader::resume()
{
    m_isStopped = false;
    queueAll();
}

void DriftReader::setPaused(bool isPaused)
{
    m_isPaused = isPaused;
    startNext();
}

const DriftRow& DriftReader::row(int pair) const
{
    return m_rows.at(static_cast<std::size_t>(pair));
}

void DriftReader::startNext()
{
    for (int looked = 0; m_isRunning && !m_isPaused && !m_request.isAtWork(); ++looked) {
        if (looked == mostAtOnce)
            return QTimer::singleShot(0, this, &DriftReader::startNext);
        const std::optional<int> pair = m_waiting.take();
        if (!pair)
            return setRunning(false);
        workOn(*pair);
    }
}

/// Asks what is not there yet: a calibrator that is ticked does not cost the others.
void DriftReader::workOn(int pair)
{
    Question question = m_questionOf(pair);
    noteColumns(question.candidates);
    DriftRow& row = m_rows[static_cast<std::size_t>(pair)];
    const bool isOther = row.standing != question.standing;
    row.standing = question.standing;
    Question missing{.request = question.request, .candidates = {}, .standing = {}};
    missing.request.choices.clear();
    for (std::size_t place = 0; place < question.candidates.size(); ++place) {
        const auto known = row.cells.find(question.candidates[place].id);
        if (known != row.cells.end() &&
            known->second.choice.isSameComputation(question.request.choices[place]))
            continue;
        missing.candidates.push_back(question.candidates[place]);
        missing.request.choices.push_back(question.request.choices[place]);
    }
    if (!row.isRead || !missing.candidates.empty())
        ask(pair, std::move(missing));
    else if (isOther)
        Q_EMIT rowChanged(pair);
}

void DriftReader::noteColumns(const std::vector<CandidateName>& candidates)
{
    const std::size_t before = m_columns.size();
    for (const CandidateName& candidate : candidates)
        if (std::ranges::find(m_columns, candidate.id, &CandidateName::id) == m_columns.end())
            m_columns.push_back(toldApart(candidate, m_columns));
    if (m_columns.size() != before)
        Q_EMIT columnsChanged();
}

void DriftReader::ask(int pair, Question question)
{
    m_readPair = pair;
    const protocol::CompareRequest request = question.request;
    m_request.ask(m_engine, request,
                  [this, pair, asked = std::move(question)](Answer<protocol::Compared> answer) {
                      finish(pair, asked, std::move(answer));
                  });
}

void DriftReader::finish(int pair, const Question& question, Answer<protocol::Compared> answer)
{
    m_readPair = -1;
    DriftRow& row = m_rows[static_cast<std::size_t>(pair)];
    m_done += row.isRead ? 0 : 1;
    row.isRead = true;
    row.problem = answer.failure;
    if (answer.value) {
        const TensorComparison& comparison = answer.value->comparison;
        row.drift = comparison.drift;
        row.a = answer.value->a;
        row.b = answer.value->b;
        row.countsA = answer.value->countsA;
        row.countsB = answer.value->countsB;
        for (std::size_t place = 0;
             place < std::min(question.candidates.size(), comparison.choices.size()); ++place) {
            DriftCell cell = cellOf(comparison.choices[place]);
            cell.choice = question.request.choices[place];
            row.cells[question.candidates[place].id] = std::move(cell);
        }
    }
    Q_EMIT rowChanged(pair);
    startNext();
}

void DriftReader::drop()
{
    if (m_readPair >= 0)
        m_waiting.addFirst(m_readPair);
    m_readPair = -1;
    m_request.drop();
}

void DriftReader::setRunning(bool isRunning)
{
    if (isRunning != std::exchange(m_isRunning, isRunning))
        Q_EMIT runningChanged();
}

}  // namespace calibscope
