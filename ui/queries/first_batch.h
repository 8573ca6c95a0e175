#pragma once

#include "ui/queries/engine_request.h"

#include <QObject>

#include <memory>
#include <optional>

namespace calibscope {

/// Reads the first batch of a tensor that takes long to read: something to look at meanwhile, and
/// what is left if the reading is stopped. Its histograms alone, without outcomes.
class FirstBatch : public QObject
{
    Q_OBJECT

public:
    explicit FirstBatch(Engine& engine, QObject* parent = nullptr);

    /// Whether all of it takes so long that the first batch is worth a request of its own.
    [[nodiscard]] static bool isWorthwhile(const TensorInfo& tensor, const TensorPart& part);

    /// Of the tensor whose whole that request is for. To be asked before it: an engine answers in
    /// order. What is there already is not asked again.
    void ask(const protocol::ViewRequest& whole);
    /// Not wanted any more.
    void drop();
    /// nullptr until it was read.
    [[nodiscard]] const std::shared_ptr<const protocol::TensorView>& view() const { return m_view; }
    [[nodiscard]] bool isIdle() const { return !m_request.isAtWork(); }

Q_SIGNALS:
    void read();
    void idle();  ///< read, or it could not be

private:
    Engine& m_engine;
    std::optional<protocol::ViewRequest> m_wanted;  ///< of the whole
    EngineRequest m_request;
    std::shared_ptr<const protocol::TensorView> m_view;
};

}  // namespace calibscope
