// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/previews.h"

#include "ui/document/decisions.h"
#include "ui/document/outcome_rows.h"
#include "ui/document/questions.h"
#include "ui/queries/addresses.h"

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

/// All else of a preview holds under any recipe.
void forgetRecipe(protocol::Preview& preview)
{
    preview.sqnrDb.reset();
    std::erase_if(preview.findings, [](const TensorFinding& finding) {
        return finding.kind == FindingKind::ClippingBound ||
               finding.kind == FindingKind::RoundingBound;
    });
}

}  // namespace

Previews::Previews(const Document& document, Engine& background, QObject* parent)
    : QObject(parent),
      m_document(document),
      m_background(background,
                   [this](int tensor) {
                       return previewRequest(m_document.addressOf(tensor),
                                             recipesChoice(m_document, tensor));
                   }),
      m_decided(document, background)
{
    connect(&document, &Document::dumpLeft, this, &Previews::clear);
    connect(&document, &Document::dumpOpened, this, &Previews::start);
    connect(&document, &Document::changing, this, &Previews::follow);
    connect(&document, &Document::tensorsChanged, this,
            [this](const std::vector<int>& tensors, TensorValues values) {
                if (values != TensorValues::Same)
                    takeAnew(tensors, values);
            });
    connect(&m_background, &BackgroundReader::viewRead, this, &Previews::viewRead);
    connect(&m_background, &BackgroundReader::previewTaken, this, &Previews::take);
    connect(&m_background, &BackgroundReader::previewFailed, this, &Previews::fail);
    connect(&m_background, &BackgroundReader::idle, this, [this] {
        m_decided.setPaused(false);
        Q_EMIT idle();
    });
    connect(&m_decided, &DecidedSqnr::changed, this, &Previews::taken);
    connect(&m_decided, &DecidedSqnr::idle, this, &Previews::idle);
}

const protocol::Preview* Previews::Taken::find(int tensor) const
{
    for (const auto* previews : {&current, &former})
        if (const auto found = previews->find(tensor); found != previews->end())
            return &found->second;
    return nullptr;
}

const protocol::Preview* Previews::of(int tensor) const
{
    const auto found = all().find(tensor);
    return found == all().end() ? nullptr : &found->second;
}

void Previews::start()
{
    std::vector<int> readable;
    for (int tensor = 0; tensor < std::ssize(m_document.tensors()); ++tensor)
        if (m_document.understood().at(tensor).isReadable())
            readable.push_back(tensor);
    m_decided.start();
    m_background.setFarAway(isFarAway(m_document.path()));
    if (isFrugal())
        readable.clear();
    m_background.setPreviews(readable);
}

bool Previews::isFrugal() const
{
    return isFarAway(m_document.path()) && m_document.dump().identity.bytes > mostBytesFarAway;
}

void Previews::prefer(const std::vector<int>& tensors)
{
    if (!isFrugal())
        return m_background.prefer(tensors);
    std::vector<int> wanted;
    std::ranges::copy_if(tensors, std::back_inserter(wanted), [this](int tensor) {
        return m_document.understood().at(tensor).isReadable() && !of(tensor) &&
               !m_failed.contains(tensor);
    });
    m_background.narrow(wanted);
}

/// While the user waits for something else.
void Previews::setPaused(bool isPaused)
{
    m_decided.setPaused(isPaused || !m_background.isIdle());
    m_background.setPaused(isPaused);
}

void Previews::clear()
{
    m_background.clear();
    m_decided.clear();
    m_taken = std::make_shared<Taken>();
    m_failed.clear();
}

void Previews::follow(const DocumentChange& change)
{
    if (!change.concerns(DocumentChange::Recipe))
        return;
    forgetSqnr();
    if (m_document.dumpState() == Document::DumpState::Open)
        start();
}

void Previews::readAhead(std::vector<protocol::ViewRequest> views)
{
    m_background.setViews(std::move(views));
}

void Previews::forgetSqnr()
{
    m_taken->current.merge(m_taken->former);
    m_taken->former = std::exchange(m_taken->current, {});
    for (auto& [tensor, preview] : m_taken->former)
        forgetRecipe(preview);
    m_failed.clear();
}

/// Of those that hold more, the previews stay until there are others.
void Previews::takeAnew(const std::vector<int>& tensors, TensorValues values)
{
    std::vector<int> readable;
    for (const int tensor : tensors) {
        if (values == TensorValues::Other) {
            m_taken->current.erase(tensor);
            m_taken->former.erase(tensor);
        }
        m_taken->problems.erase(tensor);
        m_failed.erase(tensor);
        if (m_document.understood().at(tensor).isReadable())
            readable.push_back(tensor);
    }
    m_decided.takeAnew(tensors);
    m_background.setViews({});
    m_background.withdraw(tensors);
    m_decided.setPaused(true);
    m_background.addFirst(readable);
}

void Previews::take(int tensor, protocol::Preview preview)
{
    if (const ViewQuery::Shared view =
            m_document.questions().reader().find({.tensor = m_document.addressOf(tensor)}))
        if (const std::optional<double> exact = sqnrUnderRecipe(tensor, *view))
            preview.sqnrDb = exact;
    m_taken->current[tensor] = std::move(preview);
    m_taken->former.erase(tensor);
    m_taken->problems.erase(tensor);
    if (decisionOf(m_document, tensor))
        if (const std::optional<Choice> choice = recipesChoice(m_document, tensor))
            m_decided.note(tensor, *choice, m_taken->current[tensor].sqnrDb);
    Q_EMIT taken(tensor);
}

void Previews::fail(int tensor, const QString& sentence)
{
    m_failed.insert(tensor);
    m_taken->problems[tensor] = sentence;
    Q_EMIT failed(tensor, sentence);
}

void Previews::followView()
{
    if (!m_document.questions().reader().result())
        return;
    const int selected = m_document.selected();
    // A preview estimates; the list must not tell another number than the table beside it.
    if (const protocol::Preview* known = of(selected))
        take(selected, *known);
    if (const Decision* decision = decisionOf(m_document, selected))
        for (const Outcome& outcome : m_document.questions().reader().result()->outcomes)
            if (outcome.choice.isSameComputation(decision->choice))
                m_decided.note(selected, outcome.choice, outcome.whole.metric("sqnr_db"));
    // What could be read for a view has a preview too: the failure was not the tensor's.
    if (m_failed.erase(selected) > 0)
        m_background.addFirst({selected});
}

std::optional<double> Previews::sqnrUnderRecipe(int tensor, const protocol::TensorView& view) const
{
    const std::vector<Candidate> candidates = candidatesOf(m_document, tensor);
    const auto chosen = std::ranges::find_if(candidates, [this](const Candidate& candidate) {
        return std::ranges::find(candidate.recipes, m_document.chosenRecipe().id) !=
               candidate.recipes.end();
    });
    if (chosen == candidates.end())
        return std::nullopt;
    const auto outcome = std::ranges::find_if(view.outcomes, [&chosen](const Outcome& known) {
        return known.choice.isSameComputation(chosen->choice);
    });
    return outcome == view.outcomes.end() ? std::nullopt : outcome->whole.metric("sqnr_db");
}

}  // namespace calibscope
