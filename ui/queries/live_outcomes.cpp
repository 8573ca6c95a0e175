// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/live_outcomes.h"

#include "core/recipes/estimate.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace calibscope {

namespace {

constexpr int keptViews = 48;
/// Answers beyond those of the view itself, some KiB each with its curve.
constexpr std::size_t keptAnswers = 32;

SharedOutcome findIn(const std::vector<SharedOutcome>& outcomes, const Choice& choice)
{
    const auto found = std::ranges::find_if(outcomes, [&choice](const SharedOutcome& outcome) {
        return outcome->choice.isSameComputation(choice);
    });
    return found == outcomes.end() ? SharedOutcome() : *found;
}

SharedOutcome findIn(const ViewQuery::Shared& view, const Choice& choice)
{
    const auto found = std::ranges::find_if(view->outcomes, [&choice](const Outcome& outcome) {
        return outcome.choice.isSameComputation(choice);
    });
    if (found == view->outcomes.end())
        return {};
    return std::shared_ptr<const Outcome>(view, &*found);
}

bool isIn(const std::vector<Choice>& choices, const Choice& choice)
{
    return std::ranges::any_of(
        choices, [&choice](const Choice& other) { return other.isSameComputation(choice); });
}

}  // namespace

Estimator::Estimator(QObject* parent) : QObject(parent)
{
    m_begun.moveToThread(&m_thread);
}

Estimator::~Estimator()
{
    m_thread.quit();
    m_thread.wait();
}

void Estimator::want(const Profile& profile, const std::vector<Choice>& choices)
{
    m_profile = profile;
    m_waiting.assign(choices.begin(), choices.end());
    startNext();
}

void Estimator::startNext()
{
    if (m_isWorking)
        return;
    if (m_waiting.empty()) {
        Q_EMIT idle();
        return;
    }
    const Choice choice = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_isWorking = true;
    m_thread.start();  // once
    m_begun.post([this, profile = m_profile, choice] {
        const Outcome outcome = canEstimate(*profile, choice)
                                    ? estimateOutcome(*profile, choice)
                                    : Outcome{.choice = choice, .problem = "not estimated"};
        m_finished.post([this, profile, outcome] { finish(profile, outcome); });
    });
}

void Estimator::finish(const Profile& profile, const Outcome& outcome)
{
    m_isWorking = false;
    if (outcome.problem.empty())
        Q_EMIT estimated(profile.get(), outcome);
    startNext();
}

LiveOutcomes::LiveOutcomes(Engine& engine, QObject* parent)
    : QObject(parent), m_engine(engine), m_rest(this), m_answers(keptViews)
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMs);
    connect(&m_rest, &QTimer::timeout, this, &LiveOutcomes::ask);
    connect(&m_estimator, &Estimator::estimated, this, &LiveOutcomes::keepEstimate);
}

void LiveOutcomes::show(const protocol::ViewRequest& request, const ViewQuery::Shared& view)
{
    drop();
    m_shown = request;
    m_view = view;
    m_profile = Estimator::Profile(view, &view->profile);
}

void LiveOutcomes::showNothing()
{
    drop();
    m_view.reset();
    m_profile.reset();
}

void LiveOutcomes::forget()
{
    showNothing();
    m_answers.clear();
}

void LiveOutcomes::want(const std::vector<Choice>& choices)
{
    if (!m_view)
        return;
    std::vector<Choice> missing;
    for (const Choice& choice : choices)
        if (!exact(choice) && !isIn(missing, choice))
            missing.push_back(choice);
    const bool isSame =
        std::ranges::equal(missing, m_missing, [](const Choice& one, const Choice& other) {
            return one.isSameComputation(other);
        });
    if (isSame)
        return;
    const std::vector<SharedOutcome> estimates = std::exchange(m_estimates, {});
    drop();
    m_missing = std::move(missing);
    std::vector<Choice> toEstimate;
    for (const Choice& choice : m_missing) {
        if (const SharedOutcome estimate = findIn(estimates, choice))
            m_estimates.push_back(estimate);
        else
            toEstimate.push_back(choice);
    }
    m_estimator.want(m_profile, toEstimate);
    if (!m_missing.empty())
        m_rest.start();
}

LiveOutcomes::Found LiveOutcomes::find(const Choice& choice) const
{
    if (const SharedOutcome known = exact(choice))
        return {.outcome = known};
    const SharedOutcome estimate = findIn(m_estimates, choice);
    return {.outcome = estimate,
            .isEstimate = estimate && estimate->problem.empty(),
            .isPending = isIn(m_missing, choice)};
}

SharedOutcome LiveOutcomes::exact(const Choice& choice) const
{
    if (!m_view)
        return {};
    if (SharedOutcome known = findIn(m_view, choice))
        return known;
    const std::vector<SharedOutcome>* answers = m_answers.object(m_shown.tensor);
    return answers ? findIn(*answers, choice) : SharedOutcome();
}

void LiveOutcomes::drop()
{
    m_rest.stop();
    m_missing.clear();
    m_estimates.clear();
    m_estimator.want(m_profile, {});
    m_request.drop();
}

void LiveOutcomes::ask()
{
    protocol::ViewRequest request = m_shown;
    request.histograms.clear();
    request.choices = m_missing;
    m_request.ask(m_engine, request,
                  [this, asked = m_missing](Answer<protocol::TensorView> answer) {
                      finish(asked, std::move(answer));
                  });
}

void LiveOutcomes::finish(const std::vector<Choice>& asked, Answer<protocol::TensorView> answer)
{
    m_missing.clear();
    if (answer.value) {
        std::vector<Outcome>& answered = answer.value->outcomes;
        std::vector<SharedOutcome> outcomes;
        for (std::size_t place = 0; place < std::min(answered.size(), asked.size()); ++place) {
            answered[place].choice = asked[place];
            outcomes.emplace_back(std::move(answered[place]));
        }
        m_estimates.clear();
        completeProfile(answer.value->profile);
        keepAnswers(std::move(outcomes));
    } else {
        for (const Choice& choice : asked)  // not cached: the next request for it asks again
            if (!findIn(m_estimates, choice))
                m_estimates.emplace_back(
                    Outcome{.choice = choice, .problem = answer.failure.toStdString()});
    }
    Q_EMIT changed();
    Q_EMIT idle();
}

void LiveOutcomes::keepEstimate(const TensorProfile* profile, const Outcome& outcome)
{
    if (profile != m_profile.get() || !isIn(m_missing, outcome.choice))
        return;
    m_estimates.emplace_back(outcome);
    Q_EMIT changed();
}

void LiveOutcomes::keepAnswers(std::vector<SharedOutcome> outcomes)
{
    auto* kept = new std::vector<SharedOutcome>;  // owned by the cache from the next lines on
    if (const std::vector<SharedOutcome>* before = m_answers.object(m_shown.tensor))
        *kept = *before;
    std::ranges::move(outcomes, std::back_inserter(*kept));
    if (kept->size() > keptAnswers)
        kept->erase(kept->begin(), kept->end() - static_cast<std::ptrdiff_t>(keptAnswers));
    m_answers.insert(m_shown.tensor, kept);
}

/// A histogram that was made for one choice serves for others: from then on they are estimated too.
void LiveOutcomes::completeProfile(const TensorProfile& answered)
{
    auto completed = std::make_shared<TensorProfile>(*m_profile);
    for (const Histogram& histogram : answered.histograms)
        if (!completed->histogram(histogram.spec))
            completed->histograms.push_back(histogram);
    for (const OrderStatistic& order : answered.orders)
        if (!completed->order(order.request))
            completed->orders.push_back(order);
    if (completed->histograms.size() != m_profile->histograms.size() ||
        completed->orders.size() != m_profile->orders.size())
        m_profile = std::move(completed);
}

}  // namespace calibscope
