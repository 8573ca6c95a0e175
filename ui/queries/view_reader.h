#pragma once

#include "ui/queries/engine_request.h"

#include <QCache>
#include <QHashFunctions>
#include <QObject>
#include <QString>

#include <memory>

namespace calibscope {

[[nodiscard]] inline std::size_t qHash(const TensorRef& tensor, std::size_t seed = 0)
{
    return qHashMulti(seed, tensor.index, tensor.part.channel.value_or(0),
                      tensor.part.batches.value_or(0));
}

/// Reads what is shown of a tensor, one tensor at a time: the latest request
/// wins, an answer to an earlier one is dropped. The last views are cached.
class ViewReader : public QObject
{
    Q_OBJECT

public:
    enum class State {
        Idle,
        Reading,
        Ready,
        Stopped,  ///< by stop(); again() goes on
        Failed,
    };

    using View = std::shared_ptr<const protocol::TensorView>;

    explicit ViewReader(Engine& engine, QObject* parent = nullptr);

    void show(const protocol::ViewRequest& request);
    /// Shows nothing, and drops what is being read.
    void showNothing();
    /// Showing nothing, it forgets all views too: another dump is open.
    void forget();
    void stop();
    void again();
    /// A view that was read in advance.
    void keep(const protocol::ViewRequest& request, protocol::TensorView view);

    [[nodiscard]] State state() const { return m_state; }
    /// A view that was read before; nullptr if it is not cached.
    [[nodiscard]] const protocol::TensorView* find(const TensorRef& tensor) const;
    [[nodiscard]] const protocol::TensorView* view() const;  ///< nullptr unless Ready
    [[nodiscard]] View sharedView() const;                   ///< as view()
    /// While another part of the same tensor is being read, what was shown of it;
    /// else nullptr.
    [[nodiscard]] const protocol::TensorView* formerView() const { return m_former.get(); }
    [[nodiscard]] const protocol::ViewRequest& request() const
    {
        return m_wanted;
    }                                                                     ///< of the view
    [[nodiscard]] const QString& problem() const { return m_problem; }    ///< of Failed, a sentence
    [[nodiscard]] bool hasEngineDied() const { return m_hasEngineDied; }  ///< of Failed

Q_SIGNALS:
    void stateChanged();
    void progressed(double share);  ///< 0 to 1

private:
    void drop();
    void finish(Answer<protocol::TensorView> answer);
    void setState(State state);

    Engine& m_engine;
    State m_state = State::Idle;
    protocol::ViewRequest m_wanted;
    EngineRequest m_request;
    View m_view;
    View m_former;
    QString m_problem;
    bool m_hasEngineDied = false;
    QCache<TensorRef, View> m_views;
};

}  // namespace calibscope
