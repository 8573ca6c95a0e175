#pragma once

#include "ui/engine.h"

#include <QObject>
#include <QString>

#include <deque>
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
    explicit BackgroundReader(Engine& engine, QObject* parent = nullptr);

    /// Replaces the glances still to be taken.
    void setGlances(std::vector<serve::GlanceRequest> glances);
    void addGlance(serve::GlanceRequest glance);
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
    void viewRead(int tensor, const calibscope::serve::TensorView& view);
    void idle();

private:
    void startNext();
    void startGlance(const serve::GlanceRequest& request);
    void startView(const serve::ViewRequest& request);
    void dropView();

    Engine& m_engine;
    std::deque<serve::GlanceRequest> m_glances;
    std::set<std::uint64_t> m_retried;  ///< tensors whose glance cost an engine
    std::deque<serve::ViewRequest> m_views;
    quint64 m_request = 0;  ///< at work; 0: none
    bool m_isReadingView = false;
    bool m_isPaused = false;
};

}  // namespace calibscope
