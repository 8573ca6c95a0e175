#include "ui/queries/explain_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

std::optional<double> scaleChange(const ExplainRow& row, const ExplainRow& before)
{
    if (!row.hasResult() || !before.hasResult())
        return std::nullopt;
    const double from = before.outcome->whole.quantizer.scale;
    const double to = row.outcome->whole.quantizer.scale;
    return from > 0.0 && to > 0.0 ? std::optional(to / from) : std::nullopt;
}

std::optional<double> sqnrChange(const ExplainRow& row, const ExplainRow& before)
{
    if (!row.hasResult() || !before.hasResult())
        return std::nullopt;
    const std::optional<double> from = before.outcome->whole.metric("sqnr_db");
    const std::optional<double> to = row.outcome->whole.metric("sqnr_db");
    return from && to && std::isfinite(*from) && std::isfinite(*to) ? std::optional(*to - *from)
                                                                    : std::nullopt;
}

ExplainReader::ExplainReader(Engine& engine, QObject* parent) : QObject(parent), m_engine(engine) {}

void ExplainReader::explain(const protocol::ViewRequest& of, const Choice& from, const Choice& to)
{
    drop();
    protocol::ViewRequest request = of;
    request.histograms.clear();
    request.choices.clear();
    for (ChoiceStep& step : stepsBetween(from, to)) {
        request.choices.push_back(step.choice);
        m_rows.push_back({.step = std::move(step), .outcome = {}});
    }
    m_request.ask(m_engine, request,
                  [this](Answer<protocol::TensorView> answer) { finish(std::move(answer)); });
    m_state = State::Reading;
    Q_EMIT changed();
}

void ExplainReader::clear()
{
    if (m_state == State::Idle)
        return;
    drop();
    Q_EMIT changed();
}

void ExplainReader::drop()
{
    m_request.drop();
    m_rows.clear();
    m_problem.clear();
    m_state = State::Idle;
}

void ExplainReader::finish(Answer<protocol::TensorView> answer)
{
    m_state = answer.value ? State::Ready : State::Failed;
    m_problem = answer.failure;
    if (answer.value)
        for (std::size_t place = 0; place < std::min(m_rows.size(), answer.value->outcomes.size());
             ++place)
            m_rows[place].outcome = std::move(answer.value->outcomes[place]);
    Q_EMIT changed();
}

}  // namespace calibscope
