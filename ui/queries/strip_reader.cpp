#include "ui/queries/strip_reader.h"

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

/// Some hundred KiB each.
constexpr int keptStrips = 32;

}  // namespace

StripReader::StripReader(Engine& engine, QObject* parent)
    : QObject(parent), m_engine(engine), m_strips(keptStrips)
{}

StripReader::Key StripReader::keyFor(const protocol::ViewRequest& of, const StripQuestion& question)
{
    return {.tensor = of.tensor, .question = question};
}

void StripReader::ask(const protocol::ViewRequest& of, const StripQuestion& question)
{
    const Key key = keyFor(of, question);
    const auto known = m_asked.find(question.rows);
    if (known != m_asked.end()) {
        if (known->second.key == key && known->second.request.isAtWork())
            return;
        m_asked.erase(known);
    }
    if (m_strips.contains(key)) {
        Q_EMIT changed();
        return;
    }
    const protocol::StripRequest request{.tensor = of.tensor,
                                         .rows = question.rows,
                                         .domain = question.domain,
                                         .columns = question.columns,
                                         .range = question.range};
    Asked& asked = m_asked[question.rows];
    asked.key = key;
    asked.request.ask(m_engine, request,
                      [this, rows = question.rows](Answer<protocol::Strip> answer) {
                          finish(rows, std::move(answer));
                      });
    Q_EMIT changed();
}

void StripReader::stop()
{
    m_asked.clear();
}

void StripReader::forget()
{
    stop();
    m_strips.clear();
}

StripReader::Found StripReader::find(const protocol::ViewRequest& of,
                                     const StripQuestion& question) const
{
    const Key key = keyFor(of, question);
    const auto asked = m_asked.find(question.rows);
    if (asked != m_asked.end() && asked->second.key == key)
        return {.isPending = asked->second.request.isAtWork(), .problem = asked->second.problem};
    return {.strip = m_strips.object(key), .isPending = false, .problem = {}};
}

bool StripReader::isIdle() const
{
    return std::ranges::none_of(m_asked,
                                [](const auto& asked) { return asked.second.request.isAtWork(); });
}

void StripReader::finish(protocol::StripRows rows, Answer<protocol::Strip> answer)
{
    const auto asked = m_asked.find(rows);
    if (answer.value) {
        m_strips.insert(asked->second.key, new protocol::Strip(*std::move(answer.value)));
        m_asked.erase(asked);
    } else {
        asked->second.problem = answer.failure;
    }
    Q_EMIT changed();
}

}  // namespace calibscope
