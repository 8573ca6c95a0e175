// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/tables/table.h"
#include "ui/document/session_document.h"
#include "ui/queries/engine_request.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <string>
#include <vector>

namespace calibscope {

/// Columns of `calib scales`, and the remark.
[[nodiscard]] const std::vector<Column>& decisionColumns();
/// The whole table. The numbers are exact.
[[nodiscard]] std::string decisionTable(const std::vector<std::vector<Cell>>& rows,
                                        TableFormat format);

/// Computes anew what was accepted in a session, tensor by tensor, as rows of a table: the dumps
/// in their order, the tensors in that of their paths.
class DecisionExport : public QObject
{
    Q_OBJECT

public:
    DecisionExport(Engine& engine, SessionDocument session, QObject* parent = nullptr);

    void start();
    [[nodiscard]] const std::vector<std::vector<Cell>>& rows() const { return m_rows; }
    /// Failures, as sentences.
    [[nodiscard]] const QStringList& problems() const { return m_problems; }

Q_SIGNALS:
    void progressed(int done, int total);
    void finished();

private:
    void openNext();
    void take(const Answer<protocol::DumpOpened>& answer);
    void askNext();
    void take(const std::string& path, const Answer<protocol::TensorView>& answer);

    Engine& m_engine;
    SessionDocument m_session;
    std::size_t m_dump = 0;
    std::vector<TensorInfo> m_tensors;  ///< of the dump, as the file says
    std::vector<std::string> m_left;    ///< paths in the dump, the next one last
    std::vector<std::vector<Cell>> m_rows;
    QStringList m_problems;
    EngineRequest m_request;
    int m_done = 0;
    int m_total = 0;
};

}  // namespace calibscope
