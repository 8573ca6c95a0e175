// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/layer_reader.h"

#include "ui/document/decisions.h"
#include "ui/document/document.h"
#include "ui/document/outcome_rows.h"
#include "ui/queries/dump_requests.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

namespace calibscope {

namespace {

/// Ops whose output holds its first input's values, in the same order or another.
constexpr std::array<std::string_view, 6> moves = {"Reshape",   "Transpose", "Flatten",
                                                   "Unsqueeze", "Squeeze",   "Identity"};

bool isSame(const protocol::ChoiceOnTensor& one, const protocol::ChoiceOnTensor& other)
{
    return one.path == other.path && one.id == other.id && one.label == other.label &&
           one.choice.isSameComputation(other.choice);
}

/// The row as it was listed.
void forgetNumbers(LayerRow& row)
{
    row.found = {.layer = row.found.layer,
                 .path = row.found.path,
                 .op = row.found.op,
                 .input = row.found.input,
                 .weight = row.found.weight,
                 .whyNot = {}};
    row.positions = 0;
    row.isExact = false;
    row.problem.clear();
    row.trials.reset();
}

}  // namespace

QString LayerRow::reason() const
{
    if (!found.whyNot.empty())
        return QString::fromStdString(found.whyNot);
    return problem;
}

LayerReader::LayerReader(const Document& document, Engine& engine, QObject* parent)
    : QObject(parent), m_document(document), m_engine(engine)
{}

void LayerReader::clear()
{
    m_request.drop();
    m_jobs.clear();
    m_atWork.reset();
    m_rows.clear();
    m_atOutputs.reset();
    m_problem.clear();
    m_isListed = false;
    m_isTrying = false;
    if (std::exchange(m_isStarted, false))
        Q_EMIT listed();
}

void LayerReader::listAnew()
{
    const bool wasStarted = m_isStarted;
    clear();
    if (wasStarted)
        start();
}

void LayerReader::start()
{
    if (m_isStarted || m_document.dumpState() != Document::DumpState::Open)
        return;
    m_isStarted = true;
    list();
}

std::vector<TensorRef> LayerReader::edited() const
{
    std::vector<TensorRef> tensors;
    for (const int tensor : m_document.understood().edited())
        tensors.push_back(m_document.addressOf(tensor));
    return tensors;
}

void LayerReader::list()
{
    m_request.ask(m_engine,
                  protocol::LayersRequest{.path = m_document.path().toStdString(),
                                          .allowExternal = m_document.allowsExternal(),
                                          .edited = edited()},
                  [this](const Answer<protocol::LayerList>& answer) {
                      if (answer.value)
                          takeList(*answer.value);
                      else
                          m_problem = answer.failure;
                      m_isListed = answer.value.has_value();
                      Q_EMIT listed();
                      startNext();
                  });
}

int LayerReader::tensorOf(const std::string& path) const
{
    const auto found = std::ranges::find(m_document.tensors(), path, &TensorInfo::path);
    return path.empty() || found == m_document.tensors().end()
               ? -1
               : static_cast<int>(found - m_document.tensors().begin());
}

void LayerReader::takeList(const protocol::LayerList& list)
{
    m_rows.clear();
    m_atOutputs.reset();
    for (const LayerResult& layer : list.layers) {
        LayerRow row{.found = layer,
                     .input = tensorOf(layer.input.path),
                     .weight = tensorOf(layer.weight.path),
                     .output = tensorOf(layer.path),
                     .choices = {},
                     .problem = {}};
        row.isPossible = layer.whyNot.empty();
        row.choices = choicesOf(row);
        m_rows.push_back(std::move(row));
    }
    addJobs();
}

/// What is missing: all roughly before any is refined. What was asked for from all positions stays.
void LayerReader::addJobs()
{
    std::erase_if(m_jobs, [this](const Job& job) {
        return job.positions != 0 || m_rows[job.row].positions == 0;
    });
    for (const std::uint64_t positions : {roughPositions, finePositions})
        for (std::size_t index = 0; index < m_rows.size(); ++index) {
            LayerRow& row = m_rows[index];
            const bool isKnown = row.isExact || row.positions >= positions ||
                                 (row.hasNumbers() && row.found.isExact());
            const bool isAtWork =
                m_atWork && m_atWork->row == index && m_atWork->positions == positions;
            if (!row.isComputable() || !row.reason().isEmpty() || isKnown || isAtWork)
                continue;
            row.isPending = true;
            m_jobs.push_back({.row = index, .positions = positions});
        }
}

void LayerReader::prefer(std::size_t row)
{
    std::stable_partition(m_jobs.begin(), m_jobs.end(),
                          [row](const Job& job) { return job.row == row; });
}

void LayerReader::computeExactly(std::size_t row)
{
    if (row >= m_rows.size() || !m_rows[row].isComputable() || m_rows[row].isExact)
        return;
    std::erase_if(m_jobs, [row](const Job& job) { return job.row == row; });
    m_jobs.push_front({.row = row, .positions = 0});
    m_rows[row].isPending = true;
    tellChanged(row);
    startNext();
}

void LayerReader::setPaused(bool isPaused)
{
    m_isPaused = isPaused;
    startNext();
}

void LayerReader::startNext()
{
    if (m_request.isAtWork() || m_isPaused || startTrial())
        return;
    if (m_jobs.empty()) {
        Q_EMIT idle();
        return;
    }
    const Job job = m_jobs.front();
    m_jobs.pop_front();
    m_atWork = job;
    m_request.ask(m_engine, requestOf(m_rows[job.row], job.positions),
                  [this, job](Answer<LayerResult> answer) { take(job, std::move(answer)); });
}

void LayerReader::startTrials()
{
    m_isTrying = true;
    start();
    if (m_isListed)
        startNext();
}

void LayerReader::stopTrials()
{
    if (!std::exchange(m_isTrying, false))
        return;
    if (m_atWork && m_atWork->positions == trialPositions) {
        m_request.drop();
        m_atWork.reset();
    }
    startNext();
}

void LayerReader::forgetTrials()
{
    for (LayerRow& row : m_rows)
        row.trials.reset();
    if (m_atWork && m_atWork->positions == trialPositions) {
        m_request.drop();
        m_atWork.reset();
        startNext();
    }
}

/// Whether one is at work now.
bool LayerReader::startTrial()
{
    const auto untried = std::ranges::find_if(m_rows, [](const LayerRow& row) {
        return row.isComputable() && row.reason().isEmpty() && !row.trials;
    });
    m_isTrying = m_isTrying && (!m_isListed || untried != m_rows.end());
    if (!m_isTrying || !m_isListed)
        return false;
    const auto index = static_cast<std::size_t>(untried - m_rows.begin());
    m_atWork = Job{.row = index, .positions = trialPositions};
    m_request.ask(m_engine, trialsRequestOf(*untried),
                  [this, index](Answer<LayerCandidates> answer) {
                      m_atWork.reset();
                      LayerCandidates& trials = m_rows[index].trials.emplace();
                      if (answer.value)
                          trials = *std::move(answer.value);
                      else
                          trials.decided.whyNot = answer.failure.toStdString();
                      tellChanged(index);
                      startNext();
                  });
    return true;
}

void LayerReader::take(const Job& job, Answer<LayerResult> answer)
{
    m_atWork.reset();
    LayerRow& row = m_rows[job.row];
    if (answer.value) {
        row.found = *std::move(answer.value);
        row.positions = job.positions;
        row.isExact = job.positions == 0 || row.found.isExact();
    } else if (!answer.wasCancelled) {
        row.problem = answer.failure;
    }
    if (row.isExact || !row.found.whyNot.empty() || !row.problem.isEmpty())
        std::erase_if(m_jobs, [&job](const Job& other) { return other.row == job.row; });
    row.isPending = std::ranges::find(m_jobs, job.row, &Job::row) != m_jobs.end();
    tellChanged(job.row);
    startNext();
}

protocol::LayerRequest LayerReader::requestOf(const LayerRow& row, std::uint64_t positions) const
{
    return {.path = m_document.path().toStdString(),
            .allowExternal = m_document.allowsExternal(),
            .edited = edited(),
            .layer = row.found.layer,
            .decisions = row.choices,
            .positions = positions,
            .seed = seed};
}

protocol::LayerTrialsRequest LayerReader::trialsRequestOf(const LayerRow& row) const
{
    protocol::LayerTrialsRequest request{.layer = requestOf(row, trialPositions), .candidates = {}};
    for (const int tensor : std::set{row.input, row.weight})
        if (tensor >= 0)
            for (const OutcomeRow& one : rowsOf(m_document, tensor))
                request.candidates.push_back(
                    {.path = m_document.tensors()[static_cast<std::size_t>(tensor)].path,
                     .id = one.candidate.id,
                     .label = one.candidate.label,
                     .choice = one.candidate.choice});
    return request;
}

/// -1: its values are its own.
int LayerReader::movedFrom(int tensor) const
{
    const TensorInfo& info = m_document.tensors()[static_cast<std::size_t>(tensor)];
    if (std::ranges::find(moves, info.op) == moves.end() || info.inputs.empty())
        return -1;
    const auto& tensors = m_document.tensors();
    const auto found = std::ranges::find(tensors, info.inputs.front(), &TensorInfo::name);
    return found == tensors.end() ? -1 : static_cast<int>(found - tensors.begin());
}

void LayerReader::addChoiceOf(int tensor, std::vector<protocol::ChoiceOnTensor>& choices) const
{
    constexpr int mostMoves = 8;
    if (tensor < 0)
        return;
    int source = tensor;
    for (int step = 0; source >= 0 && step < mostMoves; ++step) {
        if (const Decision* decision = decisionOf(m_document, source)) {
            choices.push_back({.path = m_document.tensors()[static_cast<std::size_t>(source)].path,
                               .id = decision->id,
                               .label = decision->label,
                               .choice = decision->choice});
            return;
        }
        source = movedFrom(source);
    }
    const TensorInfo& info = m_document.tensors()[static_cast<std::size_t>(tensor)];
    if (const std::optional<Choice> choice = recipesChoice(m_document, tensor))
        choices.push_back({.path = info.path,
                           .id = candidateId(*choice),
                           .label = shortLabel(*choice),
                           .choice = *choice});
}

std::vector<protocol::ChoiceOnTensor> LayerReader::choicesOf(const LayerRow& row) const
{
    std::vector<protocol::ChoiceOnTensor> choices;
    addChoiceOf(row.input, choices);
    if (row.weight != row.input)
        addChoiceOf(row.weight, choices);
    return choices;
}

std::vector<protocol::ChoiceOnTensor> LayerReader::allChoices() const
{
    std::vector<protocol::ChoiceOnTensor> all;
    for (const LayerRow& row : m_rows)
        for (const protocol::ChoiceOnTensor& choice : row.choices)
            if (std::ranges::find(all, choice.path, &protocol::ChoiceOnTensor::path) == all.end())
                all.push_back(choice);
    return all;
}

/// What was decided is another: the layers that it concerns are computed anew.
void LayerReader::followDecisions()
{
    if (!m_isListed)
        return;
    std::vector<std::size_t> changed;
    for (std::size_t index = 0; index < m_rows.size(); ++index) {
        LayerRow& row = m_rows[index];
        std::vector<protocol::ChoiceOnTensor> choices = choicesOf(row);
        if (!row.isComputable() || std::ranges::equal(choices, row.choices, isSame))
            continue;
        row.choices = std::move(choices);
        forgetNumbers(row);
        changed.push_back(index);
        if (m_atWork && m_atWork->row == index) {
            m_request.drop();
            m_atWork.reset();
        }
    }
    if (changed.empty())
        return;
    addJobs();
    for (const std::size_t row : changed)
        tellChanged(row);
    startNext();
}

std::size_t LayerReader::computable() const
{
    return static_cast<std::size_t>(std::ranges::count_if(m_rows, &LayerRow::isComputable));
}

std::size_t LayerReader::computed() const
{
    return static_cast<std::size_t>(std::ranges::count_if(m_rows, &LayerRow::hasNumbers));
}

std::size_t LayerReader::tried() const
{
    return static_cast<std::size_t>(std::ranges::count_if(m_rows, [](const LayerRow& row) {
        return row.isComputable() && (row.trials || !row.reason().isEmpty());
    }));
}

std::size_t LayerReader::refined() const
{
    return static_cast<std::size_t>(std::ranges::count_if(m_rows, [](const LayerRow& row) {
        return row.hasNumbers() && (row.isExact || row.positions >= finePositions);
    }));
}

std::optional<double> LayerReader::atOutputs(int tensor) const
{
    if (!m_atOutputs) {
        m_atOutputs.emplace();
        for (const LayerRow& row : m_rows)
            for (const auto& [operand, db] : {std::pair(row.input, row.found.inputDb),
                                              std::pair(row.weight, row.found.weightDb)}) {
                if (operand < 0 || !db)
                    continue;
                double& least = m_atOutputs->try_emplace(operand, *db).first->second;
                least = std::min(least, *db);
            }
    }
    const auto found = m_atOutputs->find(tensor);
    return found == m_atOutputs->end() ? std::nullopt : std::optional(found->second);
}

void LayerReader::tellChanged(std::size_t row)
{
    m_atOutputs.reset();
    Q_EMIT rowChanged(row);
}

}  // namespace calibscope
