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
/// next, then a preview at every tensor. Waits while the user waits. A preview during which the
/// engine died is taken once more at the end: the tensor need not be the cause.
class BackgroundReader : public QObject
{
    Q_OBJECT

public:
    /// What is asked of a tensor when its turn has come: thousands may wait for it.
    using PreviewOf = std::function<protocol::PreviewRequest(int tensor)>;

    BackgroundReader(Engine& engine, PreviewOf previewOf, QObject* parent = nullptr);

    /// Replaces the previews still to be taken.
    void setPreviews(const std::vector<int>& tensors);
    /// What was asked of these is of no use any more.
    void withdraw(const std::vector<int>& tensors);
    /// These come next.
    void addFirst(const std::vector<int>& tensors);
    /// These come first, as far as they are waiting: somebody looks at them.
    void prefer(const std::vector<int>& tensors) { m_previews.prefer(tensors); }
    /// Replaces the views still to be read.
    void setViews(std::vector<protocol::ViewRequest> views);
    void setPaused(bool paused);
    void clear();

    /// Previews still to be taken, the one at work included.
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
    void startNext();
    void startPreview(int tensor);
    void startView(const protocol::ViewRequest& request);
    void dropView();

    void dropPreview();

    Engine& m_engine;
    PreviewOf m_previewOf;
    PreviewQueue m_previews;
    int m_previewdAt = -1;    ///< tensor of the preview at work
    std::set<int> m_retried;  ///< tensors whose preview cost an engine
    std::deque<protocol::ViewRequest> m_views;
    EngineRequest m_request;
    bool m_isReadingView = false;
    bool m_isPaused = false;
};

}  // namespace calibscope
