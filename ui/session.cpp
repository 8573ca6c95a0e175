#include "ui/session.h"

#include "ui/dump_requests.h"

#include <QFileInfo>

#include <algorithm>
#include <memory>
#include <utility>

namespace calibscope {

namespace {

/// Drawn unless the user decided otherwise: min-max, percentile, both readings of entropy.
constexpr std::size_t firstTicks = 4;

/// The recipe of that id, else the first one: an id may be from another version's settings.
const Recipe* recipeOrFirst(const QString& id)
{
    const std::vector<Recipe>& known = recipes();
    const auto found = std::ranges::find(known, id.toStdString(), &Recipe::id);
    return found == known.end() ? &known.front() : &*found;
}

}  // namespace

Session::Session(Engine& waited, Engine& background, QObject* parent)
    : QObject(parent),
      m_waited(waited),
      m_reader(waited),
      m_background(background,
                   [this](int tensor) {
                       return glanceRequest(addressOf(tensor),
                                            choose(*m_recipe, this->tensor(tensor), *m_consumers));
                   }),
      m_recipe(recipeOrFirst({}))
{
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

void Session::open(const QString& path, const OpenOptions& options)
{
    m_tensors.clear();
    startOpening(path, options);
}

void Session::startOpening(const QString& path, const OpenOptions& options)
{
    clear();
    m_path = QFileInfo(path).absoluteFilePath();
    m_allowsExternal = options.allowExternal;
    m_selectNext = options.tensor.toStdString();
    const auto number = std::make_shared<quint64>(0);
    m_opening =
        m_waited.open({.path = m_path.toStdString(), .allowExternal = options.allowExternal},
                      [this, number](Answer<serve::DumpOpened> answer) {
                          if (*number == m_opening)
                              finishOpening(std::move(answer));
                      });
    *number = m_opening;
    setDumpState(DumpState::Opening);
}

void Session::reload()
{
    const TensorInfo* selected = selectedTensor();
    if (!m_path.isEmpty())  // a copy: the path is cleared on the way
        startOpening(QString(m_path),
                     {.allowExternal = m_allowsExternal,
                      .tensor = QString::fromStdString(selected ? selected->path : m_selectNext)});
}

void Session::reloadWithExternal()
{
    m_allowsExternal = true;
    reload();
}

void Session::close()
{
    m_tensors.clear();
    clear();
    setDumpState(DumpState::None);
}

void Session::clear()
{
    if (const quint64 dropped = std::exchange(m_opening, 0))
        m_waited.cancel(dropped);
    m_background.clear();
    m_selected = -1;
    m_candidates.clear();
    m_dump = {};
    m_glances.clear();
    m_failedGlances.clear();
    m_consumers.reset();
    m_path.clear();
    m_allowsExternal = false;
    m_dumpProblem.clear();
    m_dumpState = DumpState::None;
    m_reader.forget();
}

void Session::finishOpening(Answer<serve::DumpOpened> answer)
{
    m_opening = 0;
    if (!answer.value) {
        m_dumpProblem = answer.failure;
        return setDumpState(DumpState::Failed);
    }
    m_dump = *std::move(answer.value);
    m_tensors.setRecorded(std::exchange(m_dump.tensors, {}));
    m_consumers.emplace(tensors());
    const int wanted = m_selectNext.empty() ? -1 : placeOf(tensors(), m_selectNext);
    if (wanted < 0 && !m_selectNext.empty())
        m_dump.warnings.insert(m_dump.warnings.begin(), "there is no tensor " + m_selectNext);
    setDumpState(DumpState::Open);
    select(wanted);
    startGlances();
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

std::vector<Candidate> Session::candidatesOf(int tensor) const
{
    return candidatesFor(this->tensor(tensor), *m_consumers, recipes());
}

void Session::chooseRecipe(const QString& id)
{
    const Recipe* chosen = recipeOrFirst(id);
    if (chosen == m_recipe)
        return;
    m_recipe = chosen;
    m_glances.clear();
    m_failedGlances.clear();
    Q_EMIT recipeChanged();
    if (m_dumpState == DumpState::Open)
        startGlances();
}

void Session::setTicked(const std::string& label, bool isTicked)
{
    m_ticks[label] = isTicked;
    Q_EMIT ticksChanged();
}

bool Session::isTicked(const Candidate& candidate, std::size_t place) const
{
    const auto decided = m_ticks.find(candidate.label);
    return decided != m_ticks.end() ? decided->second
                                    : place < firstTicks || isChosenRecipes(candidate);
}

bool Session::isChosenRecipes(const Candidate& candidate) const
{
    return std::ranges::find(candidate.recipes, m_recipe->id) != candidate.recipes.end();
}

std::vector<OutcomeRow> Session::outcomeRows() const
{
    const serve::TensorView* view = m_reader.view();
    std::vector<OutcomeRow> rows;
    for (std::size_t place = 0; place < m_candidates.size(); ++place) {
        const Candidate& candidate = m_candidates[place];
        OutcomeRow row{.candidate = candidate,
                       .recipeTitles = {},
                       .isTicked = isTicked(candidate, place),
                       .isChosenRecipes = isChosenRecipes(candidate),
                       .isPending = m_reader.state() == ViewReader::State::Reading,
                       .outcome = {}};
        for (const std::string& id : candidate.recipes)
            row.recipeTitles += QString::fromStdString(recipe(id).title);
        if (view && place < view->outcomes.size())
            row.outcome = view->outcomes[place];
        rows.push_back(std::move(row));
    }
    return rows;
}

void Session::setDisplay(const Display& display)
{
    if (display == m_display)
        return;
    m_display = display;
    Q_EMIT displayChanged();
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

void Session::setDumpState(DumpState state)
{
    m_dumpState = state;
    Q_EMIT dumpChanged();
    tellIfSettled();
}

}  // namespace calibscope
