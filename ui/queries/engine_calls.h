// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/queries/engine.h"

#include <QEventLoop>
#include <QObject>

namespace calibscope {

/// Questions to an engine that are waited for, for programs without a window. There is nobody to
/// ask about an engine that hangs: it is ended after a further patience.
class EngineCalls : public QObject
{
    Q_OBJECT

public:
    explicit EngineCalls(Engine& engine, int furtherPatienceMs = 50000);

    /// Throw Cancelled once stop() was called.
    [[nodiscard]] Answer<protocol::DumpOpened> open(const protocol::OpenRequest& request);
    [[nodiscard]] Answer<protocol::TensorView> view(const protocol::ViewRequest& request);
    [[nodiscard]] Answer<protocol::Preview> preview(const protocol::PreviewRequest& request);
    [[nodiscard]] Answer<protocol::DigestedFile> digest(const protocol::DigestRequest& request);

    /// Ends the question at work, and every later one.
    void stop();
    /// For work between the questions. Throws Cancelled once stop() was called.
    void checkStopped();

private:
    template <typename T, typename Ask>
    Answer<T> wait(const Ask& ask);
    void giveUpLater();

    Engine& m_engine;
    int m_furtherPatienceMs;
    QEventLoop m_loop;
    quint64 m_request = 0;  ///< at work; 0: none
    bool m_isStalled = false;
    bool m_isStopped = false;
};

}  // namespace calibscope
