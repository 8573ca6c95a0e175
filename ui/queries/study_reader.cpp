// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/study_reader.h"

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

/// Some KiB for each choice.
constexpr int keptTensors = 512;

bool holds(const std::vector<Choice>& choices, const Choice& choice)
{
    return std::ranges::any_of(
        choices, [&choice](const Choice& other) { return other.isSameComputation(choice); });
}

}  // namespace

StudyReader::StudyReader(TensorQuestions& questions, QObject* parent)
    : QObject(parent), m_query(questions), m_studies(keptTensors)
{
    connect(&m_query, &QueryState::changed, this, [this] {
        if (m_query.isReading())
            return;
        if (m_query.result() && problem().isEmpty())
            keep(m_query.request(), *m_query.result());
        Q_EMIT changed();
    });
}

const SampleStudy* StudyReader::stored(const TensorRef& tensor, const Choice& choice) const
{
    const std::vector<SampleStudy>* studies = m_studies.object(tensor);
    if (!studies)
        return nullptr;
    const auto found = std::ranges::find_if(*studies, [&choice](const SampleStudy& study) {
        return study.choice.isSameComputation(choice);
    });
    return found == studies->end() ? nullptr : &*found;
}

const SampleStudy* StudyReader::known(const TensorRef& tensor, const Choice& choice) const
{
    return m_outdated.contains(tensor) ? nullptr : stored(tensor, choice);
}

void StudyReader::want(const TensorRef& tensor, const std::vector<Choice>& choices)
{
    std::vector<Choice> missing;
    for (const Choice& choice : choices)
        if (!known(tensor, choice) && !holds(missing, choice))
            missing.push_back(choice);
    const protocol::StudyRequest& asked = m_query.request();
    const bool isAsked =
        m_query.state() != QueryState::State::Idle && asked.tensor == tensor &&
        std::ranges::all_of(missing, [&](const Choice& c) { return holds(asked.choices, c); });
    if (isAsked && (m_query.isReading() || !problem().isEmpty()))
        return;
    m_query.drop();
    if (!missing.empty())
        m_query.ask({.tensor = tensor, .choices = missing, .parts = parts});
}

void StudyReader::forget()
{
    stop();
    m_studies.clear();
    m_outdated.clear();
}

void StudyReader::outdate()
{
    stop();
    m_outdated = m_studies.keys();
}

StudyReader::Found StudyReader::find(const TensorRef& tensor, const Choice& choice) const
{
    if (const SampleStudy* study = known(tensor, choice))
        return {.study = study, .isPending = false, .problem = {}};
    const protocol::StudyRequest& asked = m_query.request();
    if (m_query.state() != QueryState::State::Idle && asked.tensor == tensor &&
        holds(asked.choices, choice))
        return {.study = stored(tensor, choice),
                .isPending = m_query.isReading(),
                .problem = problem()};
    return {};
}

QString StudyReader::problem() const
{
    const protocol::Studied* found = m_query.result();
    return found && found->studies.size() != m_query.request().choices.size()
               ? tr("The engine answered another request.")
               : m_query.problem();
}

/// The choices as they were asked for: the engine may have fitted them.
void StudyReader::keep(const protocol::StudyRequest& asked, const protocol::Studied& found)
{
    auto* all = new std::vector<SampleStudy>();
    const bool isOutdated = m_outdated.removeOne(asked.tensor);
    if (const std::vector<SampleStudy>* before = m_studies.object(asked.tensor);
        before && !isOutdated)
        *all = *before;
    for (std::size_t index = 0; index < asked.choices.size(); ++index) {
        all->push_back(found.studies[index]);
        all->back().choice = asked.choices[index];
    }
    m_studies.insert(asked.tensor, all);
}

}  // namespace calibscope
