// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/questions.h"

#include "ui/document/card_choice.h"
#include "ui/document/decisions.h"
#include "ui/document/previews.h"
#include "ui/document/sqnr_overview.h"

#include <algorithm>
#include <set>
#include <utility>

namespace calibscope {

namespace {

/// Some 100 KiB each; a weight with thousands of channels some MiB.
constexpr std::size_t viewsInMemory = 48;
constexpr std::size_t stripsInMemory = 32;  // some hundred KiB each

/// Ids of the candidates of which something else is computed than before.
std::set<std::string> changedCandidates(const Workbench& before, const Workbench& now)
{
    std::set<std::string> ids;
    const auto compare = [&ids](const auto& one, const auto& other) {
        for (const auto& [id, choice] : one)
            if (const auto found = other.find(id);
                found == other.end() || !(found->second == choice))
                ids.insert(id);
    };
    compare(before.edits, now.edits);
    compare(now.edits, before.edits);
    if (before.manualRange != now.manualRange || before.manualScheme != now.manualScheme ||
        before.recipe != now.recipe)
        ids.insert(manualId);
    if (before.imported != now.imported)
        ids.insert(importedId);
    for (const AddedCandidate& added : before.added)
        if (std::ranges::find(now.added, added) == now.added.end())
            ids.insert(added.id);
    return ids;
}

}  // namespace

Questions::Questions(Document& document, const Engines& engines, QObject* parent)
    : QObject(parent),
      m_document(document),
      m_waited(engines.waited),
      m_ofPages(engines.waited),
      m_inBackground(engines.background),
      m_ofPictures(engines.pictures),
      m_reader(m_ofPages, viewsInMemory),
      m_firstBatch(m_ofPages),
      m_live(engines.waited),
      m_batchStrips(m_ofPages, stripsInMemory),
      m_channelStrips(m_ofPages, stripsInMemory),
      m_studies(m_inBackground),
      m_matrix(engines.background, [this](int tensor) { return matrixQuestion(tensor); }),
      m_layers(document, engines.background),
      m_explanation(m_ofPages)
{
    connect(&engines.waited, &Engine::engineDied, this, &Questions::engineDied);
    connect(&engines.waited, &Engine::engineStalled, this, &Questions::engineStalled);
    if (&engines.pictures != &engines.waited) {
        connect(&engines.pictures, &Engine::engineDied, this, &Questions::engineDied);
        // Nobody has asked for it by name: what hangs is given up, and the page says so.
        connect(&engines.pictures, &Engine::engineStalled, &engines.pictures, &Engine::restart);
    }
    connect(&m_ofPages, &TensorQuestions::idle, this, &Questions::ended);
    connect(&m_inBackground, &TensorQuestions::idle, this, &Questions::ended);
    connect(&m_ofPictures, &TensorQuestions::idle, this, &Questions::ended);
    connect(&m_reader, &QueryState::changed, this, &Questions::followReader);
    connect(&engines.waited, &Engine::progressed, this,
            [this](quint64 request, quint64 done, quint64 total, const QString&) {
                if (m_reader.is(request) && total > 0)
                    Q_EMIT progressed(static_cast<double>(done) / static_cast<double>(total));
            });
    connect(&m_firstBatch, &QueryState::changed, this, [this] {
        if (m_firstBatch.result())
            Q_EMIT firstBatchRead();
    });
    followDocument();
    connect(&document.previews(), &Previews::viewRead, this,
            [this](const protocol::ViewRequest& request, const protocol::TensorView& view) {
                m_reader.remember(request, view);
            });
    connect(&m_live, &LiveOutcomes::changed, this, [this] {
        rememberOutcomes();
        m_document.reportOutcomes();
    });
    connect(&m_live, &LiveOutcomes::idle, this, &Questions::ended);
    connect(&m_batchStrips, &QueryState::changed, this, &Questions::stripChanged);
    connect(&m_channelStrips, &QueryState::changed, this, &Questions::stripChanged);
    connect(&cardsOf(document), &CardChoice::chosenChanged, this, [this] {
        forgetRows();
        m_document.reportOutcomes();
    });
    connect(&m_studies, &StudyReader::changed, this, &Questions::studiesChanged);
    connect(&m_ratios, &RatioReader::found, this, [this] {
        Q_EMIT sqnrLineFound();
        Q_EMIT ended();
    });
    connect(&m_matrix, &MatrixReader::stopped, this, &Questions::ended);
    connect(&m_layers, &LayerReader::idle, this, &Questions::ended);
    connect(&m_explanation, &QueryState::changed, this, [this] {
        if (m_explanation.state() == QueryState::State::Idle)
            m_explainRows.clear();
        if (m_explanation.result())
            takeOutcomes(m_explainRows, *m_explanation.result());
        Q_EMIT explanationChanged();
    });
}

/// What is dropped from here on is of no interest to anybody.
Questions::~Questions()
{
    blockSignals(true);
}

/// Connected before anybody else: others ask for rows when they hear of a change.
void Questions::followDocument()
{
    connect(&m_document, &Document::dumpLeft, this, &Questions::clear);
    connect(&m_document, &Document::selectionChanged, this, &Questions::turnToSelected);
    connect(&m_document, &Document::selectionReported, this, [this] {
        const bool isOther = m_isOtherTensor;
        show();
        if (isOther)
            closeMissingCard();
    });
    connect(&m_document, &Document::changing, this,
            [this](const DocumentChange& change) { follow(change.before); });
    connect(&m_document, &Document::tensorsChanged, this,
            [this](const std::vector<int>& tensors, TensorValues values) {
                forgetRows();
                if (values == TensorValues::More)
                    takeGrown();
                if (values == TensorValues::Same)
                    return;
                const std::optional<bool> running = sweep();
                m_matrix.dropTensors(tensors);
                m_layers.listAnew();
                if (running && values == TensorValues::More)
                    startMatrix(*running);
            });
}

void Questions::readGrown(std::function<void(bool isRead)> then)
{
    const TensorInfo* info = m_document.selectedTensor();
    if (!info || !info->isReadable())
        return then(true);
    TensorRef address = m_document.addressOf(m_document.selected());
    address.part = m_part;
    const protocol::ViewRequest request = viewRequest(address, requestedOf(m_document.selected()));
    m_growing = m_ofPages.ask(
        request, [this, request, then = std::move(then)](Answer<protocol::TensorView> answer) {
            if (answer.value)
                m_grown.emplace(request, *std::move(answer.value));
            then(answer.value.has_value());
        });
}

/// Answers in memory are of the beginning of the tensors, but for the one that readGrown() read.
void Questions::takeGrown()
{
    m_reader.forgetAnswers();
    if (const auto grown = std::exchange(m_grown, std::nullopt))
        m_reader.remember(grown->first, grown->second);
    m_live.forget();
    m_batchStrips.forget();
    m_channelStrips.forget();
    m_studies.outdate();
}

void Questions::clear()
{
    m_tensor = -1;
    m_part = {};
    cardsOf(m_document).moveOn();
    m_candidates.clear();
    m_lastOutcomes.clear();
    forgetRows();
    m_live.forget();
    m_batchStrips.forget();
    m_channelStrips.forget();
    m_studies.forget();
    m_ratios.clear();
    m_matrix.clear();
    m_layers.clear();
    m_explanation.clear();
    m_growing.drop();
    m_grown.reset();
    m_reader.forget();
    followReader();
}

void Questions::turnToSelected()
{
    const int before = std::exchange(m_tensor, m_document.selected());
    m_isOtherTensor = before != m_tensor;
    if (m_isOtherTensor) {
        m_part = {};
        m_live.showNothing();  // outcomes are the former one's
    }
    if (m_isOtherTensor && before >= 0)  // a session may have opened one on the first tensor
        cardsOf(m_document).moveOn();
    const bool isNone = m_document.selected() < 0;
    m_candidates =
        isNone ? std::vector<Candidate>() : candidatesOf(m_document, m_document.selected());
    m_lastOutcomes.clear();
    forgetRows();
    m_batchStrips.drop();
    m_channelStrips.drop();
    m_studies.stop();
    m_explanation.clear();
}

/// A session may name a card that the tensor does not have any more.
void Questions::closeMissingCard()
{
    CardChoice& cards = cardsOf(m_document);
    const std::vector<OutcomeRow>& known = rows();
    const bool isThere = std::ranges::any_of(
        known, [&cards](const OutcomeRow& row) { return row.candidate.id == cards.chosen(); });
    if (m_document.selected() >= 0 && !isThere)
        cards.choose({});
}

void Questions::show()
{
    const TensorInfo* info = m_document.selectedTensor();
    if (!info || !info->isReadable()) {
        m_firstBatch.drop();
        m_reader.drop();
        return followReader();
    }
    TensorRef address = m_document.addressOf(m_document.selected());
    address.part = m_part;
    const protocol::ViewRequest request = viewRequest(address, requestedOf(m_document.selected()));
    // Asked before the whole: an engine answers in order.
    if (isFirstBatchWorthwhile(*info, m_part) && !m_reader.find(request)) {
        const protocol::ViewRequest first = firstBatchRequest(request);
        const bool isAsked = m_firstBatch.result() || m_firstBatch.isReading();
        if (!isAsked || !(m_firstBatch.request().tensor == first.tensor))
            m_firstBatch.ask(first);
    } else {
        m_firstBatch.drop();
    }
    m_reader.ask(request);
}

void Questions::followReader()
{
    const bool isWaiting = m_reader.isReading();
    forgetRows();
    m_document.previews().setPaused(isWaiting);
    m_matrix.setPaused(isWaiting);
    m_layers.setPaused(isWaiting);
    if (m_reader.result()) {
        m_live.show(m_reader.request(), m_reader.shared());
        requestOutcomes();
        rememberOutcomes();
    } else {
        m_live.showNothing();
        forgetRows();
    }
    if (!isWaiting && m_reader.state() != QueryState::State::Stopped)
        m_firstBatch.drop();
    m_document.previews().followView();
    Q_EMIT viewChanged();
    const bool isAnswered = m_reader.state() == QueryState::State::Ready ||
                            m_reader.state() == QueryState::State::Failed;
    if (isAnswered && m_reader.request().tensor.part != m_part)
        return show();
    Q_EMIT ended();
}

void Questions::chooseChannel(std::optional<std::uint64_t> channel)
{
    showPart({.channel = channel, .batches = m_part.batches});
}

void Questions::showBatches(std::optional<std::uint64_t> batches)
{
    if (batches)
        batches = std::max<std::uint64_t>(*batches, 1);
    showPart({.channel = m_part.channel, .batches = batches});
}

void Questions::showPart(const TensorPart& part)
{
    if (!m_document.selectedTensor() || part == m_part)
        return;
    m_part = part;
    m_explanation.clear();
    Q_EMIT partChanged();
    // A scrubber that is dragged asks for more than can be read: the last request is next, see
    // followReader(). Cancelling each would cost the engine what it keeps.
    if (!m_reader.isReading())
        show();
}

void Questions::stopReading()
{
    if (m_document.dumpState() == Document::DumpState::Opening)
        m_document.close();
    else
        m_reader.stop();
}

void Questions::readAgain()
{
    if (m_document.dumpState() == Document::DumpState::Failed)
        m_document.reload();
    else
        m_reader.again();
}

void Questions::expect(const std::vector<int>& tensors)
{
    std::vector<protocol::ViewRequest> requests;
    const bool isFrugal = m_document.previews().isFrugal();
    for (const int tensor : tensors)
        if (!isFrugal && m_document.understood().at(tensor).isReadable() &&
            !m_reader.find({.tensor = m_document.addressOf(tensor)}))
            requests.push_back(viewRequest(m_document.addressOf(tensor), requestedOf(tensor)));
    m_document.previews().readAhead(std::move(requests));
}

const std::vector<OutcomeRow>& Questions::rows() const
{
    if (!m_rows)
        m_rows = rowsWithOutcomes();
    return *m_rows;
}

/// The selected tensor's, without outcomes.
std::vector<OutcomeRow> Questions::plainRows() const
{
    const TensorInfo* tensor = m_document.selectedTensor();
    return tensor ? rowsOf(*tensor, m_candidates, m_document.chosenRecipe(), m_document.workbench())
                  : std::vector<OutcomeRow>();
}

std::vector<OutcomeRow> Questions::rowsWithOutcomes() const
{
    std::vector<OutcomeRow> rows = plainRows();
    const protocol::Preview* preview = m_document.previews().of(m_document.selected());
    const bool isOfOneValue = preview != nullptr && isSignalOfOneValue(preview->extents);
    for (OutcomeRow& row : rows) {
        row.isOfOneValue = isOfOneValue;
        const LiveOutcomes::Found found = m_live.find(row.candidate.choice);
        row.isPending = found.isPending || m_reader.isReading();
        row.isEstimate = found.isEstimate;
        if (found.outcome)
            row.outcome = found.outcome;
        else if (const auto last = m_lastOutcomes.find(row.candidate.id);
                 found.isPending && last != m_lastOutcomes.end())
            row.outcome = last->second;
    }
    markProposed(rows, cardsOf(m_document).chosen());
    return rows;
}

/// What a row shows until there is something of its changed choice.
void Questions::rememberOutcomes()
{
    for (const OutcomeRow& row : plainRows()) {
        if (!row.isEdited && row.origin == OutcomeRow::Origin::Listed)
            continue;
        if (SharedOutcome known = m_live.find(row.candidate.choice).outcome)
            m_lastOutcomes[row.candidate.id] = std::move(known);
    }
    forgetRows();
}

/// What is asked of the engine for that tensor.
std::vector<Candidate> Questions::requestedOf(int tensor) const
{
    std::vector<OutcomeRow> rows =
        tensor == m_document.selected() ? plainRows() : rowsOf(m_document, tensor);
    std::vector<Candidate> requested;
    for (OutcomeRow& row : rows)
        requested.push_back(std::move(row.candidate));
    return requested;
}

void Questions::requestOutcomes()
{
    if (m_document.selected() < 0)
        return;
    std::vector<Choice> choices;
    for (Candidate& candidate : requestedOf(m_document.selected()))
        choices.push_back(std::move(candidate.choice));
    m_live.want(choices);
    forgetRows();
}

/// Whether something else is accepted for the selected tensor than was before.
bool Questions::isDecidedOtherwise(const Workbench& before) const
{
    const TensorInfo* tensor = m_document.selectedTensor();
    if (!tensor)
        return false;
    const Decision was = before.decisions.value(tensor->path);
    const Decision is = m_document.workbench().decisions.value(tensor->path);
    return was.id != is.id || !was.choice.isSameComputation(is.choice);
}

void Questions::follow(const Workbench& before)
{
    forgetRows();
    const Workbench& now = m_document.workbench();
    const bool areOtherRows =
        now.edits != before.edits || now.added != before.added || now.imported != before.imported ||
        now.manualRange != before.manualRange || now.manualScheme != before.manualScheme;
    if (areOtherRows || now.recipe != before.recipe) {
        dropFromMatrix(before);
        requestOutcomes();
    }
    if (now.recipe != before.recipe || now.decisions != before.decisions)
        m_layers.followDecisions();
    if (!changedCandidates(before, now).empty())
        m_layers.forgetTrials();
    const bool isOtherDecision = isDecidedOtherwise(before);
    if (isOtherDecision) {
        CardChoice& cards = cardsOf(m_document);
        const Decision* decision = decisionOf(m_document, m_document.selected());
        cards.moveOn(decision ? decision->id : cards.chosen());
    }
    if (areOtherRows || isOtherDecision || now.baseline != before.baseline)
        m_document.reportOutcomes();
}

protocol::StripRequest Questions::ofSelected(protocol::StripRequest request) const
{
    request.tensor = m_document.addressOf(m_document.selected());
    return request;
}

void Questions::requestStrip(const protocol::StripRequest& request)
{
    const TensorInfo* tensor = m_document.selectedTensor();
    if (!tensor || !tensor->isReadable())
        return;
    const protocol::StripRequest wanted = ofSelected(request);
    StripQuery& strips =
        request.rows == protocol::StripRows::Batch ? m_batchStrips : m_channelStrips;
    if (!strips.answerTo(wanted).isPending)
        strips.ask(wanted);
}

StripQuery::Found Questions::strip(const protocol::StripRequest& request) const
{
    if (!m_document.selectedTensor())
        return {};
    const StripQuery& strips =
        request.rows == protocol::StripRows::Batch ? m_batchStrips : m_channelStrips;
    return strips.answerTo(ofSelected(request));
}

void Questions::requestStudies(const std::vector<Choice>& choices)
{
    const TensorInfo* tensor = m_document.selectedTensor();
    if (!tensor || !tensor->isReadable())
        return;
    TensorRef address = m_document.addressOf(m_document.selected());
    address.part = m_part;
    m_studies.want(address, choices);
}

StudyReader::Found Questions::study(const Choice& choice) const
{
    if (!m_document.selectedTensor())
        return {};
    TensorRef address = m_document.addressOf(m_document.selected());
    address.part = m_part;
    return m_studies.find(address, choice);
}

const SampleStudy* Questions::studyOf(int tensor) const
{
    const TensorRef address = m_document.addressOf(tensor);
    if (!m_studies.knows(address))
        return nullptr;
    const Decision* decision = decisionOf(m_document, tensor);
    const std::optional<Choice> choice =
        decision ? std::optional(decision->choice) : recipesChoice(m_document, tensor);
    return choice ? m_studies.find(address, *choice).study : nullptr;
}

void Questions::explain(const std::string& from, const std::string& to)
{
    const auto find = [this](const std::string& id) {
        return std::ranges::find_if(
            rows(), [&id](const OutcomeRow& row) { return row.candidate.id == id; });
    };
    const auto first = find(from);
    const auto last = find(to);
    if (first == rows().end() || last == rows().end() || !m_document.selectedTensor()->isReadable())
        return;
    TensorRef address = m_document.addressOf(m_document.selected());
    address.part = m_part;
    protocol::ViewRequest request = viewRequest(address, {});
    request.histograms.clear();
    m_explainRows = explainRowsBetween(first->candidate.choice, last->candidate.choice);
    for (const ExplainRow& row : m_explainRows)
        request.choices.push_back(row.step.choice);
    m_explanation.ask(request);
}

void Questions::startMatrix(bool tickedOnly)
{
    m_isMatrixTickedOnly = tickedOnly;
    const std::vector<TensorInfo>& tensors = m_document.tensors();
    std::vector<int> readable;
    for (int index = 0; index < std::ssize(tensors); ++index) {
        const TensorInfo& tensor = tensors[static_cast<std::size_t>(index)];
        if (tensor.isReadable() && isDecidable(tensor) &&
            !m_document.workbench().excluded.contains(tensor.path))
            readable.push_back(index);
    }
    m_matrix.start(readable);
}

MatrixReader::Question Questions::matrixQuestion(int tensor) const
{
    MatrixReader::Question question{.request = viewRequest(m_document.addressOf(tensor), {}),
                                    .candidates = {}};
    question.request.histograms.clear();
    question.request.curves = false;
    for (OutcomeRow& row : rowsOf(m_document, tensor)) {
        if (m_isMatrixTickedOnly && !row.isTicked)
            continue;
        question.candidates.push_back(row.candidate.name());
        question.request.choices.push_back(std::move(row.candidate.choice));
    }
    return question;
}

void Questions::dropFromMatrix(const Workbench& before)
{
    const Workbench& now = m_document.workbench();
    const std::set<std::string> ids = changedCandidates(before, now);
    if (!ids.empty())
        m_matrix.dropColumns(ids);
    for (const AddedCandidate& added : before.added)
        if (std::ranges::find(now.added, added.id, &AddedCandidate::id) == now.added.end())
            m_matrix.removeColumn(added.id);
}

void Questions::requestSqnrLine(const Scheme& scheme)
{
    if (const ViewQuery::Shared view = m_reader.shared())
        m_ratios.want(view, scheme);
}

const ThresholdRatio* Questions::sqnrLine(const Scheme& scheme) const
{
    return m_ratios.find(m_reader.result(), scheme);
}

bool Questions::isIdle() const
{
    return m_ofPages.isIdle() && m_inBackground.isIdle() && m_ofPictures.isIdle() &&
           m_live.isIdle() && m_ratios.isIdle() && !m_matrix.isRunning() && m_layers.isIdle();
}

}  // namespace calibscope
