// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/queries/engine_request.h"
#include "ui/queries/preview_queue.h"

#include <QObject>
#include <QString>

#include <deque>
#include <functional>
#include <set>
#include <vector>

namespace calibscope {

/// Reads what nobody waits for, one request at a time: first the views that are likely to be wanted
/// next, then a preview at every tensor, of which eight are on their way to an engine that is far
/// away. Waits while the user waits; what is at work is finished then, if it is a preview. A
/// preview during which the engine died is taken once more at the end: the tensor need not be the
/// cause.
class BackgroundReader : public QObject
{
    Q_OBJECT

public:
    /// The request for a tensor when its turn has come: thousands may wait for it.
    using PreviewOf = std::function<protocol::PreviewRequest(int tensor)>;

    BackgroundReader(Engine& engine, PreviewOf previewOf, QObject* parent = nullptr);

    /// Whether answers take long to come, however fast the engine is.
    void setFarAway(bool isFarAway) { m_mostAsked = isFarAway ? 8 : 1; }
    /// Replaces the previews still to be taken.
    void setPreviews(const std::vector<int>& tensors);
    /// What was asked of these is of no use any more.
    void withdraw(const std::vector<int>& tensors);
    /// These come next.
    void addFirst(const std::vector<int>& tensors);
    /// These come first, as far as they are waiting: somebody looks at them.
    void prefer(const std::vector<int>& tensors) { m_previews.prefer(tensors); }
    /// Only these are still wanted: what else waits is forgotten, what was asked for comes.
    void narrow(const std::vector<int>& tensors);
    /// Replaces the views still to be read.
    void setViews(std::vector<protocol::ViewRequest> views);
    void setPaused(bool paused);
    void clear();

    /// Previews still to be taken, those asked for included.
    [[nodiscard]] std::size_t previewsLeft() const;
    /// Nothing left to do and nothing at work.
    [[nodiscard]] bool isIdle() const;

Q_SIGNALS:
    void previewTaken(int tensor, const calibscope::protocol::Preview& preview);
    void previewFailed(int tensor, const QString& sentence);
    void viewRead(const calibscope::protocol::ViewRequest& request,
                  const calibscope::protocol::TensorView& view);
    void idle();

private:
    /// A preview that was asked for.
    struct Asked
    {
        int tensor = -1;
        EngineRequest request;
    };

    void startNext();
    void startPreview(int tensor);
    void finishPreview(int tensor, const Answer<protocol::Preview>& answer);
    void startView(const protocol::ViewRequest& request);
    void dropView() { m_view.drop(); }
    /// All but the first, which is at work, go back to the others that wait.
    void putBackPreviews();

    Engine& m_engine;
    PreviewOf m_previewOf;
    PreviewQueue m_previews;
    std::deque<Asked> m_asked;  ///< in the order in which they were asked
    std::size_t m_mostAsked = 1;
    std::set<int> m_retried;  ///< tensors whose preview cost an engine
    std::deque<protocol::ViewRequest> m_views;
    EngineRequest m_view;
    bool m_isPaused = false;
};

}  // namespace calibscope
