#pragma once

#include "ui/queries/engine.h"
#include "ui/queries/glance_queue.h"

#include <QObject>
#include <QString>

#include <deque>
#include <functional>
#include <set>
#include <vector>

namespace calibscope {

/// Reads what nobody waits for, one request at a time: first the views that are likely to be wanted
/// next, then a glance at every tensor. Waits while the user waits. A glance during which the
/// engine died is taken once more at the end: the tensor need not be the cause.
class BackgroundReader : public QObject
{
    Q_OBJECT

public:
    /// What is asked of a tensor when its turn has come: thousands may wait for it.
    using GlanceOf = std::function<serve::GlanceRequest(int tensor)>;

    BackgroundReader(Engine& engine, GlanceOf glanceOf, QObject* parent = nullptr);

    /// Replaces the glances still to be taken.
    void setGlances(const std::vector<int>& tensors);
    /// What was asked of these is of no use any more.
    void withdraw(const std::vector<int>& tensors);
    /// These come next.
    void addFirst(const std::vector<int>& tensors);
    /// These come first, as far as they are waiting: somebody looks at them.
    void prefer(const std::vector<int>& tensors) { m_glances.prefer(tensors); }
    /// Replaces the views still to be read.
    void setViews(std::vector<serve::ViewRequest> views);
    void setPaused(bool paused);
    void clear();

    /// Glances still to be taken, the one at work included.
    [[nodiscard]] std::size_t glancesLeft() const;
    /// Nothing left to do and nothing at work.
    [[nodiscard]] bool isIdle() const;

Q_SIGNALS:
    void glanceTaken(int tensor, const calibscope::serve::Glance& glance);
    void glanceFailed(int tensor, const QString& sentence);
    void viewRead(const calibscope::serve::ViewRequest& request,
                  const calibscope::serve::TensorView& view);
    void idle();

private:
    void startNext();
    void startGlance(int tensor);
    void startView(const serve::ViewRequest& request);
    void dropView();

    void dropGlance();

    Engine& m_engine;
    GlanceOf m_glanceOf;
    GlanceQueue m_glances;
    int m_glancedAt = -1;     ///< tensor of the glance at work
    std::set<int> m_retried;  ///< tensors whose glance cost an engine
    std::deque<serve::ViewRequest> m_views;
    quint64 m_request = 0;  ///< at work; 0: none
    bool m_isReadingView = false;
    bool m_isPaused = false;
};

}  // namespace calibscope
