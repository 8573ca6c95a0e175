// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/pair_reader.h"

#include <utility>

namespace calibscope {

namespace {

bool isSameView(const std::optional<protocol::ViewRequest>& one,
                const std::optional<protocol::ViewRequest>& other)
{
    return one.has_value() == other.has_value() && (!one || one->tensor == other->tensor);
}

}  // namespace

PairReader::PairReader(Engine& engine, QObject* parent) : QueryState(parent), m_engine(engine) {}

bool PairReader::isSameTensors(const Request& wanted) const
{
    return isSameView(m_wanted.a, wanted.a) && isSameView(m_wanted.b, wanted.b) &&
           m_wanted.both.has_value() == wanted.both.has_value();
}

void PairReader::show(Request wanted)
{
    const bool isSame = m_state == State::Ready && isSameTensors(wanted);
    m_request.drop();
    m_wanted = std::move(wanted);
    m_problem.clear();
    if (isSame) {
        m_next = {.a = m_found.a, .b = m_found.b, .both = {}, .candidates = {}};
    } else {
        m_next = {};
        m_found = {};
    }
    m_next.candidates = m_wanted.candidates;
    m_state = State::Reading;
    askNext();
    Q_EMIT changed();
}

void PairReader::clear()
{
    m_request.drop();
    m_wanted = {};
    m_found = {};
    m_next = {};
    m_problem.clear();
    if (std::exchange(m_state, State::Idle) != State::Idle)
        Q_EMIT changed();
}

template <typename Result>
Handler<Result> PairReader::noted(std::optional<Result> Found::*place)
{
    return [this, place](Answer<Result> answer) {
        if (!answer.value) {
            m_problem = answer.failure;
            return setState(State::Failed);
        }
        m_next.*place = *std::move(answer.value);
        askNext();
        if (m_state == State::Ready)
            Q_EMIT changed();
    };
}

/// One after the other: the engine works on one at a time, and a tensor that can't be read costs
/// one of them alone.
void PairReader::askNext()
{
    if (m_wanted.a && !m_next.a) {
        m_request.ask(m_engine, *m_wanted.a, noted(&Found::a));
    } else if (m_wanted.b && !m_next.b) {
        m_request.ask(m_engine, *m_wanted.b, noted(&Found::b));
    } else if (m_wanted.both && !m_next.both) {
        m_request.ask(m_engine, *m_wanted.both, noted(&Found::both));
    } else {
        m_found = std::exchange(m_next, {});
        m_state = State::Ready;
    }
}

}  // namespace calibscope
