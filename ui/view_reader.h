#pragma once

#include "ui/engine.h"

#include <QCache>
#include <QObject>
#include <QString>

#include <memory>

namespace calibscope {

/// What a view is of: a tensor as it was understood.
struct ViewKey
{
    std::uint64_t tensor = 0;
    Understanding understanding;

    bool operator==(const ViewKey&) const = default;
};

[[nodiscard]] inline std::size_t qHash(const ViewKey& key, std::size_t seed = 0)
{
    return ::qHash(key.tensor, seed);  // a tensor is understood in few ways
}

/// Reads what is shown of a tensor, one tensor at a time: the latest request wins, an answer to an
/// earlier one is dropped. The last views are kept.
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

    explicit ViewReader(Engine& engine, QObject* parent = nullptr);

    void show(const serve::ViewRequest& request);
    /// Shows nothing, and drops what is being read.
    void showNothing();
    /// Showing nothing, it forgets all views too: another dump is open.
    void forget();
    void stop();
    void again();
    /// A view that was read in advance.
    void keep(const ViewKey& key, serve::TensorView view);

    [[nodiscard]] State state() const { return m_state; }
    /// A view that was read before; nullptr if it is not kept.
    [[nodiscard]] const serve::TensorView* find(const ViewKey& key) const;
    [[nodiscard]] const serve::TensorView* view() const;                  ///< nullptr unless Ready
    [[nodiscard]] const QString& problem() const { return m_problem; }    ///< of Failed, a sentence
    [[nodiscard]] bool hasEngineDied() const { return m_hasEngineDied; }  ///< of Failed

Q_SIGNALS:
    void stateChanged();
    void progressed(double share);  ///< 0 to 1

private:
    using View = std::shared_ptr<const serve::TensorView>;

    void drop();
    void finish(Answer<serve::TensorView> answer);
    void setState(State state);

    Engine& m_engine;
    State m_state = State::Idle;
    serve::ViewRequest m_wanted;
    quint64 m_request = 0;  ///< at work; 0: none
    View m_view;
    QString m_problem;
    bool m_hasEngineDied = false;
    QCache<ViewKey, View> m_views;
};

}  // namespace calibscope
