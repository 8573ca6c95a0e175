// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "ui/queries/engine_request.h"

#include <QObject>

#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace calibscope {

class Document;
struct DocumentChange;

/// The SQNR of what was accepted for tensors of a document: taken from what is known already, else
/// computed in the background, one tensor after another, once all else there is done.
class DecidedSqnr : public QObject
{
    Q_OBJECT

public:
    DecidedSqnr(const Document& document, Engine& background, QObject* parent = nullptr);

    /// Nothing until it is known, where it can't be computed, and where nothing was accepted.
    [[nodiscard]] std::optional<double> of(int tensor) const;

    void clear();
    /// A dump is open, or another recipe is chosen; paused until all previews are taken.
    void start();
    /// What is accepted for these, or what is read of them, is another than before.
    void takeAnew(const std::vector<int>& tensors);
    /// What its preview or its view tell is known; `sqnrDb` under that choice.
    void note(int tensor, const Choice& choice, const std::optional<double>& sqnrDb);
    /// Begins nothing while others have something to do.
    void setPaused(bool isPaused);
    [[nodiscard]] bool isIdle() const
    {
        return !m_request.isAtWork() && (m_isPaused || m_waiting.empty());
    }

Q_SIGNALS:
    void changed(int tensor);
    void idle();

private:
    void follow(const DocumentChange& change);
    void startNext();

    const Document& m_document;
    Engine& m_engine;
    std::map<int, std::optional<double>> m_known;  ///< nothing: it can't be computed
    std::deque<int> m_waiting;
    EngineRequest m_request;
    bool m_isPaused = true;
};

}  // namespace calibscope
