#include "ui/queries/first_batch.h"

#include <utility>

namespace calibscope {

FirstBatch::FirstBatch(Engine& engine, QObject* parent) : QObject(parent), m_engine(engine) {}

bool FirstBatch::isWorthwhile(const TensorInfo& tensor, const TensorPart& part)
{
    constexpr std::uint64_t manyValues = 8'000'000;  // some tenths of a second, if compressed
    constexpr std::uint64_t manyBatches = 4;         // of fewer, one is as long as the rest
    return part.isWhole() && tensor.batchCount() >= manyBatches && tensor.valueCount() > manyValues;
}

void FirstBatch::ask(const protocol::ViewRequest& whole)
{
    const bool isSame = m_wanted && m_wanted->tensor == whole.tensor;
    if (isSame && (m_view || m_request.isAtWork()))
        return;
    drop();
    m_wanted = whole;
    protocol::ViewRequest request = whole;
    request.choices.clear();
    request.exactMetrics = false;
    request.curves = false;
    request.tensor.part = {.channel = {}, .batches = 1};
    m_request.ask(m_engine, request, [this](Answer<protocol::TensorView> answer) {
        // Without it there is less to look at: the whole will say what is wrong.
        if (answer.value) {
            m_view = std::make_shared<const protocol::TensorView>(*std::move(answer.value));
            Q_EMIT read();
        }
        Q_EMIT idle();
    });
}

void FirstBatch::drop()
{
    m_wanted.reset();
    m_view.reset();
    m_request.drop();
}

}  // namespace calibscope
