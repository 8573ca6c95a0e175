#include "ui/session.h"

#include "ui/dump_requests.h"

namespace calibscope {

Session::Session(Engine& waited, Engine& background, QObject* parent)
    : QObject(parent),
      m_waited(waited),
      m_reader(waited),
      m_background(background,
                   [this](int tensor) {
                       return glanceRequest(addressOf(tensor),
                                            choose(*m_recipe, this->tensor(tensor), *m_consumers));
                   }),
      m_recipe(&recipes().front())
{
    m_workbench.recipe = m_recipe->id;
    connect(&m_reader, &ViewReader::stateChanged, this, [this] {
        m_background.setPaused(m_reader.state() == ViewReader::State::Reading);
        shareExactSqnr();
        glanceAgain();
        Q_EMIT viewChanged();
        tellIfSettled();
    });
    connect(&m_reader, &ViewReader::progressed, this, &Session::progressed);
    connect(&waited, &Engine::engineDied, this, &Session::engineDied);
    connect(&waited, &Engine::engineStalled, this, &Session::engineStalled);
    connect(&m_background, &BackgroundReader::glanceTaken, this, &Session::takeGlance);
    connect(&m_background, &BackgroundReader::glanceFailed, this,
            [this](int tensor, const QString& sentence) {
                m_failedGlances.insert(tensor);
                Q_EMIT glanceFailed(tensor, sentence);
            });
    connect(&m_background, &BackgroundReader::viewRead, this,
            [this](const serve::ViewRequest& request, const serve::TensorView& view) {
                m_reader.keep({request.tensor, request.understanding}, view);
            });
    connect(&m_background, &BackgroundReader::idle, this, &Session::tellIfSettled);
}

void Session::select(int tensor)
{
    if (m_dumpState != DumpState::Open)
        return;
    m_selected = tensor;
    const TensorInfo* info = selectedTensor();
    m_candidates = info ? candidatesOf(tensor) : std::vector<Candidate>();
    Q_EMIT selectionChanged();
    if (info && info->isReadable())
        m_reader.show(viewRequest(addressOf(tensor), m_candidates));
    else
        m_reader.showNothing();
}

const TensorInfo* Session::selectedTensor() const
{
    return m_selected < 0 ? nullptr : &tensor(m_selected);
}

TensorAddress Session::addressOf(int tensor) const
{
    return {.path = m_path.toStdString(),
            .allowExternal = m_allowsExternal,
            .tensor = tensor,
            .understanding = m_tensors.understanding(tensor)};
}

ViewKey Session::keyOf(int tensor) const
{
    return {static_cast<std::uint64_t>(tensor), m_tensors.understanding(tensor)};
}

void Session::expect(const std::vector<int>& tensors)
{
    std::vector<serve::ViewRequest> requests;
    for (const int index : tensors)
        if (tensor(index).isReadable() && !m_reader.find(keyOf(index)))
            requests.push_back(viewRequest(addressOf(index), candidatesOf(index)));
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
           m_background.isIdle();
}

void Session::tellIfSettled()
{
    if (isSettled())
        Q_EMIT settled();
}

}  // namespace calibscope
