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

StudyReader::StudyReader(Engine& engine, QObject* parent)
    : QObject(parent), m_engine(engine), m_studies(keptTensors)
{}

const SampleStudy* StudyReader::known(const TensorRef& tensor, const Choice& choice) const
{
    const std::vector<SampleStudy>* studies = m_studies.object(tensor);
    if (!studies)
        return nullptr;
    const auto found = std::ranges::find_if(*studies, [&choice](const SampleStudy& study) {
        return study.choice.isSameComputation(choice);
    });
    return found == studies->end() ? nullptr : &*found;
}

void StudyReader::want(const TensorRef& tensor, const std::vector<Choice>& choices)
{
    std::vector<Choice> missing;
    for (const Choice& choice : choices)
        if (!known(tensor, choice) && !holds(missing, choice))
            missing.push_back(choice);
    const bool isAsked =
        m_tensor == tensor &&
        std::ranges::all_of(missing, [this](const Choice& c) { return holds(m_missing, c); });
    if (isAsked && (m_request.isAtWork() || !m_problem.isEmpty()))
        return;
    stop();
    m_tensor = tensor;
    m_missing = missing;
    if (missing.empty())
        return;
    m_request.ask(m_engine,
                  protocol::StudyRequest{.tensor = tensor, .choices = missing, .parts = parts},
                  [this](Answer<protocol::Studied> answer) { finish(std::move(answer)); });
}

void StudyReader::stop()
{
    m_request.drop();
    m_missing.clear();
    m_problem.clear();
}

void StudyReader::forget()
{
    stop();
    m_studies.clear();
}

StudyReader::Found StudyReader::find(const TensorRef& tensor, const Choice& choice) const
{
    if (const SampleStudy* study = known(tensor, choice))
        return {.study = study, .isPending = false, .problem = {}};
    if (m_tensor == tensor && holds(m_missing, choice))
        return {.isPending = m_request.isAtWork(), .problem = m_problem};
    return {};
}

/// The choices as they were asked for: the engine may have fitted them.
void StudyReader::finish(Answer<protocol::Studied> answer)
{
    if (answer.value && answer.value->studies.size() == m_missing.size()) {
        auto* all = new std::vector<SampleStudy>();
        if (const std::vector<SampleStudy>* before = m_studies.object(m_tensor))
            *all = *before;
        for (std::size_t place = 0; place < m_missing.size(); ++place) {
            all->push_back(std::move(answer.value->studies[place]));
            all->back().choice = m_missing[place];
        }
        m_studies.insert(m_tensor, all);
        m_missing.clear();
    } else {
        m_problem = answer.value ? tr("The engine has answered another question.") : answer.failure;
    }
    Q_EMIT changed();
}

}  // namespace calibscope
