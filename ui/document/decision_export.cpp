// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/decision_export.h"

#include "core/report/tables/scales_table.h"
#include "ui/queries/dump_requests.h"

#include <algorithm>
#include <utility>

namespace calibscope {

const std::vector<Column>& decisionColumns()
{
    static const std::vector<Column> columns = [] {
        std::vector<Column> all = scaleColumns();
        all.push_back({.id = "remark", .title = "remark"});
        return all;
    }();
    return columns;
}

std::string decisionTable(const std::vector<std::vector<Cell>>& rows, TableFormat format)
{
    std::string text;
    TableWriter table([&text](std::string_view piece) { text += piece; }, format,
                      decisionColumns());
    for (const std::vector<Cell>& row : rows)
        table.row(row);
    table.finish();
    return text;
}

DecisionExport::DecisionExport(Engine& engine, SessionDocument session, QObject* parent)
    : QObject(parent), m_engine(engine), m_session(std::move(session))
{
    for (const SessionDump& dump : m_session.dumps)
        m_total += static_cast<int>(dump.own.decisions.size());
}

void DecisionExport::start()
{
    m_dump = 0;
    openNext();
}

void DecisionExport::openNext()
{
    while (m_dump < m_session.dumps.size() && m_session.dumps[m_dump].own.decisions.isEmpty())
        ++m_dump;
    if (m_dump == m_session.dumps.size()) {
        Q_EMIT finished();
        return;
    }
    const SessionDump& dump = m_session.dumps[m_dump];
    m_request.ask(
        m_engine,
        protocol::OpenRequest{.path = dump.identity.path, .allowExternal = dump.allowsExternal},
        [this](const Answer<protocol::DumpOpened>& answer) { take(answer); });
}

void DecisionExport::take(const Answer<protocol::DumpOpened>& answer)
{
    const QMap<std::string, Decision>& decisions = m_session.dumps[m_dump].own.decisions;
    if (!answer.value) {
        m_problems += answer.failure;
        m_done += static_cast<int>(decisions.size());
        ++m_dump;
        return openNext();
    }
    m_tensors = answer.value->tensors;
    m_left.assign(decisions.keyBegin(), decisions.keyEnd());
    std::ranges::reverse(m_left);
    askNext();
}

void DecisionExport::askNext()
{
    Q_EMIT progressed(m_done, m_total);
    if (m_left.empty()) {
        ++m_dump;
        return openNext();
    }
    const SessionDump& dump = m_session.dumps[m_dump];
    const std::string path = m_left.back();
    m_left.pop_back();
    ++m_done;
    const auto found = std::ranges::find(m_tensors, path, &TensorInfo::path);
    if (found == m_tensors.end()) {
        m_problems +=
            tr("%1: there is no tensor %2")
                .arg(QString::fromStdString(dump.identity.path), QString::fromStdString(path));
        return askNext();
    }
    protocol::ViewRequest request{
        .tensor = {.file = dump.identity.path,
                   .allowExternal = dump.allowsExternal,
                   .index = static_cast<std::uint64_t>(found - m_tensors.begin()),
                   .layoutOverride = dump.own.said.value(path).layoutOverride},
        .histograms = {},
        .choices = {dump.own.decisions.value(path).choice},
        .curves = false};
    m_request.ask(m_engine, request,
                  [this, path](const Answer<protocol::TensorView>& answer) { take(path, answer); });
}

void DecisionExport::take(const std::string& path, const Answer<protocol::TensorView>& answer)
{
    const SessionDump& dump = m_session.dumps[m_dump];
    const bool hasOutcome = answer.value && !answer.value->outcomes.empty();
    const QString problem = hasOutcome
                                ? QString::fromStdString(answer.value->outcomes.front().problem)
                                : answer.failure;
    if (!hasOutcome || !problem.isEmpty())
        m_problems += tr("%1: %2").arg(QString::fromStdString(path), problem);
    else
        for (std::vector<Cell> row : scaleRows(answer.value->outcomes.front(), true)) {
            row.emplace_back(dump.own.decisions.value(path).remark);
            m_rows.push_back(std::move(row));
        }
    askNext();
}

}  // namespace calibscope
