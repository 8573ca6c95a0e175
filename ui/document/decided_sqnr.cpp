// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/decided_sqnr.h"

#include "ui/document/decisions.h"
#include "ui/document/document.h"
#include "ui/document/outcome_rows.h"
#include "ui/document/previews.h"

#include <algorithm>

namespace calibscope {

DecidedSqnr::DecidedSqnr(const Document& document, Engine& background, QObject* parent)
    : QObject(parent), m_document(document), m_engine(background)
{
    connect(&document, &Document::changed, this, &DecidedSqnr::follow);
}

std::optional<double> DecidedSqnr::of(int tensor) const
{
    const auto found = m_known.find(tensor);
    return found == m_known.end() ? std::nullopt : found->second;
}

void DecidedSqnr::clear()
{
    m_request.drop();
    m_known.clear();
    m_waiting.clear();
}

/// What is known holds under any recipe.
void DecidedSqnr::start()
{
    m_isPaused = true;
    m_waiting.clear();
    if (m_document.workbench().decisions.isEmpty())
        return;
    std::vector<int> unknown;
    for (int tensor = 0; tensor < std::ssize(m_document.tensors()); ++tensor)
        if (!m_known.contains(tensor) && decisionOf(m_document, tensor))
            unknown.push_back(tensor);
    takeAnew(unknown);
}

void DecidedSqnr::follow(const DocumentChange& change)
{
    const QMap<std::string, Decision>& before = change.before.decisions;
    const QMap<std::string, Decision>& now = m_document.workbench().decisions;
    if (!change.concerns(DocumentChange::Workbench) || before.isSharedWith(now))
        return;
    std::vector<int> others;
    for (int tensor = 0; tensor < std::ssize(m_document.tensors()); ++tensor) {
        const std::string& path = m_document.tensors()[static_cast<std::size_t>(tensor)].path;
        const auto former = before.find(path);
        const auto present = now.find(path);
        const bool wasDecided = former != before.end();
        const bool isDecided = present != now.end();
        if (wasDecided != isDecided || (isDecided && !(former->choice == present->choice)))
            others.push_back(tensor);
    }
    takeAnew(others);
}

void DecidedSqnr::takeAnew(const std::vector<int>& tensors)
{
    for (const int tensor : tensors) {
        m_known.erase(tensor);
        const Decision* decision = decisionOf(m_document, tensor);
        if (!decision)
            continue;
        const protocol::Preview* preview = m_document.previews().of(tensor);
        const std::optional<Choice> recipes =
            preview ? recipesChoice(m_document, tensor) : std::nullopt;
        if (recipes && preview->sqnrDb && recipes->isSameComputation(decision->choice))
            m_known[tensor] = preview->sqnrDb;
        else
            m_waiting.push_back(tensor);
    }
    startNext();
}

void DecidedSqnr::note(int tensor, const Choice& choice, const std::optional<double>& sqnrDb)
{
    const Decision* decision = decisionOf(m_document, tensor);
    if (!decision || !sqnrDb || !decision->choice.isSameComputation(choice) || of(tensor) == sqnrDb)
        return;
    m_known[tensor] = sqnrDb;
    Q_EMIT changed(tensor);
}

void DecidedSqnr::setPaused(bool isPaused)
{
    m_isPaused = isPaused;
    startNext();
}

void DecidedSqnr::startNext()
{
    // What came to be known meanwhile still waits here.
    const auto isDone = [this](int tensor) {
        return m_known.contains(tensor) || !decisionOf(m_document, tensor) ||
               !m_document.understood().at(tensor).isReadable();
    };
    if (m_isPaused || m_request.isAtWork())
        return;
    while (!m_waiting.empty() && isDone(m_waiting.front()))
        m_waiting.pop_front();
    if (m_waiting.empty())
        return;
    const int tensor = m_waiting.front();
    m_waiting.pop_front();
    m_request.ask(
        m_engine,
        previewRequest(m_document.addressOf(tensor), decisionOf(m_document, tensor)->choice),
        [this, tensor](const Answer<protocol::Preview>& answer) {
            if (!answer.wasCancelled)
                m_known[tensor] = answer.value ? answer.value->sqnrDb : std::nullopt;
            Q_EMIT changed(tensor);
            startNext();
            if (isIdle())
                Q_EMIT idle();
        });
}

}  // namespace calibscope
