// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/comparison.h"

#include "core/recipes/recipe.h"
#include "ui/document/outcome_rows.h"
#include "ui/document/questions.h"
#include "ui/queries/addresses.h"
#include "ui/queries/dump_requests.h"

#include <utility>

namespace calibscope {

namespace {

/// What matching looks at, without what it does not: there may be thousands to copy.
std::vector<TensorInfo> outlines(const std::vector<TensorInfo>& tensors)
{
    std::vector<TensorInfo> copies;
    copies.reserve(tensors.size());
    for (const TensorInfo& tensor : tensors)
        copies.push_back({.name = tensor.name,
                          .path = tensor.path,
                          .role = tensor.role,
                          .shape = tensor.shape,
                          .batchAxis = tensor.batchAxis,
                          .op = tensor.op,
                          .isBeside = tensor.isBeside});
    return copies;
}

}  // namespace

Comparison::Comparison(Document& document, Engine& waited, Engine& background, QObject* parent)
    : QObject(parent),
      m_document(document),
      m_waited(waited),
      m_looked(waited),
      m_drift(background, [this](int pair) { return question(pair); })
{
    m_thread.setMaxThreadCount(1);
    connect(&m_drift, &DriftReader::runningChanged, this, &Comparison::tellIfIdle);
    connect(&m_looked, &PairReader::changed, this, &Comparison::tellIfIdle);
    followDocument();
}

Comparison::~Comparison()
{
    m_thread.waitForDone();
}

void Comparison::followDocument()
{
    const auto pauseWhileReading = [this] {
        m_drift.setPaused(m_document.questions().reader().isReading());
    };
    connect(&m_document, &Document::dumpChanged, this, [this, pauseWhileReading] {
        m_consumers.reset();
        forgetMatches();
        pauseWhileReading();
        follow();
        matchAnew();
    });
    connect(&m_document, &Document::tensorsChanged, this, [this] {
        m_consumers.reset();
        matchAnew();
    });
    connect(&m_document, &Document::changed, this, [this](const DocumentChange& change) {
        if (!change.concerns(DocumentChange::Workbench))
            return;
        const Workbench& before = change.before;
        const Workbench& now = m_document.workbench();
        follow();
        const bool areOtherChoices =
            now.recipe != before.recipe || now.ticks != before.ticks || now.edits != before.edits ||
            now.added != before.added || now.manualRange != before.manualRange ||
            now.manualScheme != before.manualScheme || now.decisions != before.decisions;
        if (!areOtherChoices || m_state != State::Ready)
            return;
        m_drift.refresh();
        look();
    });
    connect(&m_document, &Document::selectionChanged, this, [this] {
        m_onlyB = -1;
        look();
        Q_EMIT lookedAtChanged();
    });
    connect(&m_document.questions(), &Questions::viewChanged, this, [this, pauseWhileReading] {
        // While a dump is closed its tensors are gone, and the matches not yet forgotten.
        if (m_document.dumpState() == Document::DumpState::Open)
            pauseWhileReading();
    });
}

QString Comparison::path() const
{
    return QString::fromStdString(m_with.path);
}

/// The workbench says which dump is B, which tensors belong together, and how they are understood.
void Comparison::follow()
{
    const Workbench& workbench = m_document.workbench();
    const bool isOtherDump = workbench.compared.path != m_with.path;
    const bool isOtherMatch = workbench.compared.pairs != m_with.pairs;
    m_with = workbench.compared;
    if (isOtherDump) {
        m_tensors.clear();
        m_dump = {};
        return startOpening();
    }
    const DumpTensors::Changed changed = m_tensors.saySolely(workbench.said);
    if (isOtherMatch || !changed.anew.empty())
        matchAnew();
}

void Comparison::reopen()
{
    startOpening();
}

void Comparison::stopOpening()
{
    if (m_state != State::Opening)
        return;
    m_opening.drop();
    m_problem = tr("Stopped before it was read.");
    setState(State::Failed);
}

void Comparison::startOpening()
{
    m_opening.drop();
    forgetMatches();
    m_problem.clear();
    if (m_with.path.empty())
        return setState(State::None);
    if (!m_document.path().isEmpty() && machineOf(m_document.path()) != machineOf(path())) {
        m_problem = tr("%1 and %2 lie on different machines, and an engine reads the files of its "
                       "own only; copy one beside the other to compare them.")
                        .arg(m_document.path(), path());
        return setState(State::Failed);
    }
    m_opening.ask(
        m_waited, protocol::OpenRequest{.path = m_with.path, .allowExternal = false},
        [this](Answer<protocol::DumpOpened> answer) { finishOpening(std::move(answer)); });
    setState(State::Opening);
}

void Comparison::finishOpening(Answer<protocol::DumpOpened> answer)
{
    if (!answer.value) {
        m_problem = answer.failure;
        return setState(State::Failed);
    }
    m_document.noteOpened(m_with.path, false);
    m_dump = *std::move(answer.value);
    m_tensors.setRecorded(std::exchange(m_dump.tensors, {}));
    (void)m_tensors.saySolely(m_document.workbench().said);
    startMatching();
}

void Comparison::matchAnew()
{
    if (m_state == State::Ready || m_state == State::Matching)
        startMatching();
}

void Comparison::startMatching()
{
    forgetMatches();
    setState(State::Matching);
    if (m_document.dumpState() != Document::DumpState::Open)
        return;
    m_thread.start(
        [this, number = m_matching, a = outlines(m_document.tensors()), b = outlines(tensors()),
         manualRange = std::vector<std::pair<std::string, std::string>>(m_with.pairs.begin(),
                                                                        m_with.pairs.end())] {
            TensorMatches matches = matchTensors(a, b, manualRange);
            QMetaObject::invokeMethod(
                this,
                [this, number, found = std::move(matches)] {
                    if (number == m_matching)
                        finishMatching(found);
                },
                Qt::QueuedConnection);
        });
}

void Comparison::finishMatching(TensorMatches matches)
{
    m_matches = std::move(matches);
    m_pairOfA.assign(m_document.tensors().size(), -1);
    m_pairOfB.assign(tensors().size(), -1);
    for (std::size_t pair = 0; pair < m_matches.pairs.size(); ++pair) {
        m_pairOfA.at(m_matches.pairs[pair].a) = static_cast<int>(pair);
        m_pairOfB.at(m_matches.pairs[pair].b) = static_cast<int>(pair);
    }
    m_drift.restart(static_cast<int>(m_matches.pairs.size()));
    look();
    setState(State::Ready);
}

void Comparison::forgetMatches()
{
    ++m_matching;
    m_matches = {};
    m_pairOfA.clear();
    m_pairOfB.clear();
    m_onlyB = -1;
    m_looked.clear();
    m_drift.restart(0);
}

int Comparison::pairOfA(int tensor) const
{
    return tensor >= 0 && tensor < std::ssize(m_pairOfA)
               ? m_pairOfA[static_cast<std::size_t>(tensor)]
               : -1;
}

int Comparison::pairOfB(int tensor) const
{
    return tensor >= 0 && tensor < std::ssize(m_pairOfB)
               ? m_pairOfB[static_cast<std::size_t>(tensor)]
               : -1;
}

bool Comparison::isIdle() const
{
    const bool waitsForA = m_document.dumpState() == Document::DumpState::Failed ||
                           m_document.dumpState() == Document::DumpState::None;
    return m_state != State::Opening && (m_state != State::Matching || waitsForA) &&
           !m_drift.isRunning() && m_looked.state() != PairReader::State::Reading;
}

void Comparison::tellIfIdle()
{
    if (isIdle())
        Q_EMIT idle();
}

void Comparison::setState(State state)
{
    m_state = state;
    Q_EMIT stateChanged();
    tellIfIdle();
}

namespace {}  // namespace

TensorRef Comparison::recorded(int tensorOfB) const
{
    return {.file = m_with.path,
            .allowExternal = false,
            .index = static_cast<std::uint64_t>(tensorOfB),
            .layoutOverride = m_tensors.layoutOverride(tensorOfB)};
}

/// What is ticked, what was accepted, and the chosen recipe's.
DriftReader::Question Comparison::question(int pair)
{
    const TensorPair& places = m_matches.pairs.at(static_cast<std::size_t>(pair));
    const int a = static_cast<int>(places.a);
    DriftReader::Question question;
    question.request = {.a = m_document.addressOf(a),
                        .b = recorded(static_cast<int>(places.b)),
                        .choices = {},
                        .exactMetrics = false};
    if (!m_consumers)
        m_consumers.emplace(m_document.tensors());
    const TensorInfo& tensor = m_document.tensors().at(places.a);
    // What scales per channel lose is known of exact values alone; those of a weight are few.
    constexpr std::uint64_t mostExact = std::uint64_t{1} << 22U;
    question.request.exactMetrics = tensor.role == Role::Weight && tensor.valueCount() <= mostExact;
    std::vector<OutcomeRow> rows = rowsOf(tensor, candidatesFor(tensor, *m_consumers, recipes()),
                                          m_document.chosenRecipe(), m_document.workbench());
    if (const OutcomeRow* standing = standingRow(rows))
        question.standing = standing->candidate.name();
    for (OutcomeRow& row : rows) {
        if (!row.isTicked && !row.isAccepted && !row.isChosenRecipes)
            continue;
        question.candidates.push_back(row.candidate.name());
        question.request.choices.push_back(std::move(row.candidate.choice));
    }
    return question;
}

void Comparison::lookAtB(int tensor)
{
    if (tensor == std::exchange(m_onlyB, tensor))
        return;
    look();
    Q_EMIT lookedAtChanged();
}

int Comparison::lookedAtA() const
{
    return m_onlyB >= 0 ? -1 : m_document.selected();
}

int Comparison::lookedAtB() const
{
    if (m_onlyB >= 0)
        return m_onlyB;
    const int pair = pairOfA(m_document.selected());
    return pair < 0 ? -1 : static_cast<int>(m_matches.pairs[static_cast<std::size_t>(pair)].b);
}

void Comparison::setLooking(bool isLooking)
{
    if (isLooking != std::exchange(m_isLooking, isLooking))
        look();
}

void Comparison::look()
{
    const int a = lookedAtA();
    const int b = lookedAtB();
    if (!m_isLooking || m_state == State::None || m_pairOfB.empty() || (a < 0 && b < 0))
        return m_looked.clear();
    PairReader::Request request;
    if (a >= 0)
        request.a = viewRequest(m_document.addressOf(a), {});
    if (b >= 0)
        request.b = viewRequest(recorded(b), {});
    if (a >= 0 && b >= 0) {
        DriftReader::Question asked = question(pairOfA(a));
        asked.request.exactMetrics = true;
        request.both = std::move(asked.request);
        request.candidates = std::move(asked.candidates);
    }
    m_looked.show(std::move(request));
}

}  // namespace calibscope
