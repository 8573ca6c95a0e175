#include "ui/document/session.h"

#include "ui/queries/dump_requests.h"

#include <algorithm>
#include <utility>

namespace calibscope {

Session::Session(Engine& waited, Engine& background, QObject* parent)
    : QObject(parent),
      m_waited(waited),
      m_reader(waited),
      m_questions(waited),
      m_background(background,
                   [this](int tensor) {
                       return previewRequest(addressOf(tensor),
                                             choose(*m_recipe, this->tensor(tensor), *m_consumers));
                   }),
      m_firstBatch(waited),
      m_live(waited),
      m_strips(waited),
      m_matrix(background, [this](int tensor) { return matrixQuestion(tensor); }),
      m_explanation(waited),
      m_recipe(&recipes().front())
{
    m_workbench.recipe = m_recipe->id;
    connect(&m_questions, &TensorQuestions::settled, this, &Session::tellIfSettled);
    connect(&m_reader, &ViewReader::stateChanged, this, &Session::followReader);
    connect(&m_reader, &ViewReader::progressed, this, &Session::progressed);
    connect(&m_firstBatch, &FirstBatch::read, this, &Session::firstBatchRead);
    connect(&m_firstBatch, &FirstBatch::settled, this, &Session::tellIfSettled);
    connect(&waited, &Engine::engineDied, this, &Session::engineDied);
    connect(&waited, &Engine::engineStalled, this, &Session::engineStalled);
    connect(&m_background, &BackgroundReader::previewTaken, this, &Session::takePreview);
    connect(&m_background, &BackgroundReader::previewFailed, this,
            [this](int tensor, const QString& sentence) {
                m_failedPreviews.insert(tensor);
                Q_EMIT previewFailed(tensor, sentence);
            });
    connect(&m_background, &BackgroundReader::viewRead, this,
            [this](const protocol::ViewRequest& request, const protocol::TensorView& view) {
                m_reader.keep(request, view);
            });
    connect(&m_background, &BackgroundReader::idle, this, &Session::tellIfSettled);
    connect(&m_live, &LiveOutcomes::changed, this, [this] {
        rememberOutcomes();
        Q_EMIT outcomesChanged();
    });
    connect(&m_live, &LiveOutcomes::settled, this, &Session::tellIfSettled);
    connect(&m_strips, &StripReader::changed, this, [this] {
        Q_EMIT stripChanged();
        tellIfSettled();
    });
    connect(&m_matrix, &MatrixReader::stopped, this, &Session::tellIfSettled);
    connect(&m_explanation, &ExplainReader::changed, this, [this] {
        Q_EMIT explanationChanged();
        tellIfSettled();
    });
}

void Session::followReader()
{
    const bool isWaiting = m_reader.state() == ViewReader::State::Reading;
    m_background.setPaused(isWaiting);
    m_matrix.setPaused(isWaiting);
    if (m_reader.view()) {
        m_live.show(m_reader.request(), m_reader.sharedView());
        wantOutcomes();
        rememberOutcomes();
    } else {
        m_live.showNothing();
    }
    if (!isWaiting && m_reader.state() != ViewReader::State::Stopped)
        m_firstBatch.drop();
    shareExactSqnr();
    previewAgain();
    Q_EMIT viewChanged();
    const bool isAnswered = m_reader.state() == ViewReader::State::Ready ||
                            m_reader.state() == ViewReader::State::Failed;
    if (isAnswered && m_reader.request().tensor.part != m_part)
        return show();
    tellIfSettled();
}

void Session::select(int tensor)
{
    if (m_dumpState != DumpState::Open)
        return;
    if (tensor != std::exchange(m_selected, tensor))
        m_part = {};
    const TensorInfo* info = selectedTensor();
    m_navigation.visit(info ? info->path : std::string());
    m_candidates = info ? candidatesOf(tensor) : std::vector<Candidate>();
    m_lastOutcomes.clear();
    m_strips.stop();
    m_explanation.clear();
    Q_EMIT selectionChanged();
    show();
}

void Session::show()
{
    const TensorInfo* info = selectedTensor();
    if (!info || !info->isReadable()) {
        m_firstBatch.drop();
        return m_reader.showNothing();
    }
    TensorRef address = addressOf(m_selected);
    address.part = m_part;
    const protocol::ViewRequest request = viewRequest(address, requestesOf(m_selected));
    if (FirstBatch::isWorthwhile(*info, m_part) && !m_reader.find(request.tensor))
        m_firstBatch.ask(request);
    else
        m_firstBatch.drop();
    m_reader.show(request);
}

void Session::visit(const std::optional<std::string>& path)
{
    if (!path)
        return;
    const auto found = std::ranges::find(tensors(), *path, &TensorInfo::path);
    select(found == tensors().end() ? -1 : static_cast<int>(found - tensors().begin()));
}

void Session::goBack()
{
    visit(m_navigation.back());
}

void Session::goForward()
{
    visit(m_navigation.forward());
}

void Session::chooseChannel(std::optional<std::uint64_t> channel)
{
    showPart({.channel = channel, .batches = m_part.batches});
}

void Session::showBatches(std::optional<std::uint64_t> batches)
{
    if (batches)
        batches = std::max<std::uint64_t>(*batches, 1);
    showPart({.channel = m_part.channel, .batches = batches});
}

void Session::showPart(const TensorPart& part)
{
    if (!selectedTensor() || part == m_part)
        return;
    m_part = part;
    m_explanation.clear();
    Q_EMIT partChanged();
    // A scrubber that is dragged requests more than can be read: the last request is next, see
    // followReader(). Cancelling each would cost the engine what it keeps.
    if (m_reader.state() != ViewReader::State::Reading)
        show();
}

void Session::requestStrip(const StripQuestion& question)
{
    if (const TensorInfo* tensor = selectedTensor(); tensor && tensor->isReadable())
        m_strips.ask(viewRequest(addressOf(m_selected), {}), question);
}

StripReader::Found Session::strip(const StripQuestion& question) const
{
    if (!selectedTensor())
        return {};
    return m_strips.find(viewRequest(addressOf(m_selected), {}), question);
}

const TensorInfo* Session::selectedTensor() const
{
    return m_selected < 0 ? nullptr : &tensor(m_selected);
}

TensorRef Session::addressOf(int tensor) const
{
    return {.file = m_path.toStdString(),
            .allowExternal = m_allowsExternal,
            .index = static_cast<std::uint64_t>(tensor),
            .layoutOverride = m_tensors.layoutOverride(tensor)};
}

void Session::expect(const std::vector<int>& tensors)
{
    std::vector<protocol::ViewRequest> requests;
    for (const int index : tensors)
        if (tensor(index).isReadable() && !m_reader.find(addressOf(index)))
            requests.push_back(viewRequest(addressOf(index), requestesOf(index)));
    m_background.setViews(std::move(requests));
}

void Session::stopReading()
{
    if (m_dumpState == DumpState::Opening)
        close();
    else
        m_reader.stop();
}

void Session::readAgain()
{
    if (m_dumpState == DumpState::Failed)
        reload();
    else
        m_reader.again();
}

bool Session::isSettled() const
{
    return m_dumpState != DumpState::Opening && m_reader.state() != ViewReader::State::Reading &&
           m_firstBatch.isIdle() && m_background.isIdle() && m_live.isSettled() &&
           m_strips.isIdle() && m_questions.isIdle() && !m_matrix.isRunning() &&
           m_explanation.state() != ExplainReader::State::Reading;
}

void Session::tellIfSettled()
{
    if (isSettled())
        Q_EMIT settled();
}

}  // namespace calibscope
