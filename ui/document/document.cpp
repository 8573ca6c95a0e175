// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/document.h"

#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/queries/addresses.h"

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

/// The recipe of that id, else the first one: an id may be from another version's settings.
const Recipe& recipeOrFirst(const std::string& id)
{
    const std::vector<Recipe>& known = recipes();
    const auto found = std::ranges::find(known, id, &Recipe::id);
    return found == known.end() ? known.front() : *found;
}

}  // namespace

Document::Document(Engine& waited, Engine& background, QObject* parent)
    : Document(waited, background, waited, parent)
{}

Document::Document(Engine& waited, Engine& background, Engine& pictures, QObject* parent)
    : QObject(parent),
      m_waited(waited),
      m_recipe(&recipes().front()),
      m_previews(std::make_unique<Previews>(*this, background)),
      m_questions(
          std::make_unique<Questions>(*this, Questions::Engines{waited, background, pictures}))
{
    for (Engine* other : {&background, &pictures})
        if (other != &waited && std::ranges::find(m_others, other) == m_others.end())
            m_others.push_back(other);
    m_workbench.recipe = m_recipe->id;
    connect(m_previews.get(), &Previews::idle, this, &Document::tellIfIdle);
    connect(m_questions.get(), &Questions::ended, this, &Document::tellIfIdle);
}

Document::~Document() = default;

void Document::open(const QString& path, const OpenOptions& options)
{
    clear();
    forgetDecisionsOnTensors();
    startOpening(path, options);
}

HeldDump Document::held() const
{
    const TensorInfo* selected = selectedTensor();
    return {.path = m_path,
            .identity = m_dump.identity,
            .isRecording = isRecording(),
            .allowsExternal = m_allowsExternal,
            .selected = selected ? selected->path : m_selectNext,
            .workbench = m_workbench,
            .history = m_history,
            .sweep = m_sweepNext ? m_sweepNext : m_questions->sweep()};
}

void Document::resume(const HeldDump& held)
{
    clear();
    forgetDecisionsOnTensors();
    const Workbench shared = sharedPart(m_workbench);
    m_history = held.history;
    if (sharedPart(held.workbench) != shared)
        m_history.takeShared(shared);
    apply(joined(held.workbench, shared), DocumentChange::Undoable);
    m_sweepNext = held.sweep;
    startOpening(held.path, {.allowExternal = held.allowsExternal,
                             .tensor = QString::fromStdString(held.selected)});
}

void Document::startOpening(const QString& path, const OpenOptions& options)
{
    m_path = wholePath(path);
    m_allowsExternal = options.allowExternal;
    m_selectNext = options.tensor.toStdString();
    m_opening.ask(m_waited, openRequest(), [this](Answer<protocol::DumpOpened> answer) {
        finishOpening(std::move(answer));
    });
    setDumpState(DumpState::Opening);
}

protocol::OpenRequest Document::openRequest() const
{
    return {.path = m_path.toStdString(), .allowExternal = m_allowsExternal};
}

void Document::reload()
{
    if (m_path.isEmpty())
        return;
    const QString path = m_path;
    const TensorInfo* selected = selectedTensor();
    const OpenOptions options{.allowExternal = m_allowsExternal,
                              .tensor =
                                  QString::fromStdString(selected ? selected->path : m_selectNext)};
    clear();
    startOpening(path, options);
}

void Document::reloadWithExternal()
{
    m_allowsExternal = true;
    reload();
}

void Document::catchUp()
{
    if (m_dumpState != DumpState::Open || m_isCatchingUp)
        return;
    m_isCatchingUp = true;
    m_opening.ask(m_waited, openRequest(), [this](Answer<protocol::DumpOpened> answer) {
        if (!answer.value)
            return finishCatchingUp(false);
        reopenAt(0, [this, now = *std::move(answer.value)](bool isOpen) mutable {
            if (!isOpen || !isGrownFrom(now))
                return takeNow(std::move(now), isOpen);
            m_questions->readGrown([this, now = std::move(now)](bool isRead) mutable {
                takeNow(std::move(now), isRead);
            });
        });
    });
}

/// One engine after the other, which would go on with the state that it read before.
void Document::reopenAt(std::size_t other, const std::function<void(bool isOpen)>& then)
{
    if (other == m_others.size())
        return then(true);
    m_opening.ask(*m_others[other], openRequest(),
                  [this, other, then](const Answer<protocol::DumpOpened>& answer) {
                      if (!answer.value)
                          return then(false);
                      reopenAt(other + 1, then);
                  });
}

/// Not before all of it could be read; what never can be holds up nothing for good.
void Document::takeNow(protocol::DumpOpened now, bool isRead)
{
    constexpr int patience = 5;  // what is in passing can be read by then
    m_failedReads = isRead ? 0 : m_failedReads + 1;
    const bool isTaken = isRead || m_failedReads >= patience;
    if (isTaken && isGrownFrom(now))
        takeGrown(std::move(now));
    else if (isTaken)
        takeOther(std::move(now));
    finishCatchingUp(isTaken);
}

/// Other tensors, of which nothing is known.
void Document::takeOther(protocol::DumpOpened other)
{
    const HeldDump former = held();
    clear();
    m_path = former.path;
    m_allowsExternal = former.allowsExternal;
    m_selectNext = former.selected;
    m_sweepNext = former.sweep;
    showOpened(std::move(other));
}

/// The same tensors, so that all that is known of them by their indices holds.
void Document::takeGrown(protocol::DumpOpened grown)
{
    std::vector<int> changed;
    for (int tensor = 0; tensor < std::ssize(tensors()); ++tensor)
        if (!grown.isGrowing.value_or(false) ||
            grown.tensors[static_cast<std::size_t>(tensor)].shape !=
                m_tensors->recorded(tensor).shape)
            changed.push_back(tensor);
    m_dump = std::move(grown);
    m_tensors->setRecorded(std::exchange(m_dump.tensors, {}));
    readAnew(changed, TensorValues::More);
}

void Document::finishCatchingUp(bool isRead)
{
    m_isCatchingUp = false;
    m_wasFollowed = m_wasFollowed || isRead;
    Q_EMIT caughtUp(isRead);
    tellIfIdle();
}

/// Whether it is the same recording, and not another one under its name.
bool Document::isGrownFrom(const protocol::DumpOpened& now) const
{
    if (now.file != m_dump.file || now.attributes != m_dump.attributes ||
        tensors().size() != now.tensors.size())
        return false;
    for (int tensor = 0; tensor < std::ssize(now.tensors); ++tensor) {
        const TensorInfo& before = m_tensors->recorded(tensor);
        const TensorInfo& after = now.tensors[static_cast<std::size_t>(tensor)];
        if (before.path != after.path || before.shape.size() != after.shape.size() ||
            !std::ranges::equal(before.shape, after.shape, std::ranges::less_equal()))
            return false;
    }
    return true;
}

void Document::close()
{
    clear();
    forgetDecisionsOnTensors();
    setDumpState(DumpState::None);
}

void Document::clear()
{
    m_opening.drop();
    m_isCatchingUp = false;
    m_wasFollowed = false;
    m_failedReads = 0;
    m_sweepNext.reset();
    m_selected = -1;
    m_dump = {};
    m_consumers.reset();
    m_graph.reset();
    m_parts.reset();
    m_path.clear();
    m_allowsExternal = false;
    m_dumpProblem.clear();
    m_dumpState = DumpState::None;
    Q_EMIT dumpLeft();
}

void Document::finishOpening(Answer<protocol::DumpOpened> answer)
{
    if (!answer.value) {
        m_dumpProblem = answer.failure;
        return setDumpState(DumpState::Failed);
    }
    noteOpened(m_path.toStdString(), m_allowsExternal);
    showOpened(*std::move(answer.value));
}

void Document::showOpened(protocol::DumpOpened opened)
{
    m_dump = std::move(opened);
    m_tensors = std::make_shared<DumpTensors>();
    m_tensors->setRecorded(std::exchange(m_dump.tensors, {}));
    (void)m_tensors->saySolely(m_workbench.said);
    m_consumers.emplace(tensors());
    m_graph.reset();
    m_parts.reset();
    const int wanted = m_selectNext.empty() ? -1 : placeOf(tensors(), m_selectNext);
    if (wanted < 0 && !m_selectNext.empty())
        m_dump.warnings.insert(m_dump.warnings.begin(), "there is no tensor " + m_selectNext);
    m_selected = wanted;  // no page of another tensor, or of none, is laid out first
    setDumpState(DumpState::Open);
    select(wanted);
    Q_EMIT dumpOpened();
    if (const std::optional<bool> sweep = std::exchange(m_sweepNext, std::nullopt))
        m_questions->startMatrix(*sweep);  // the engine's cache has its results
}

void Document::noteOpened(const std::string& path, bool allowsExternal)
{
    if (m_opened.emplace(path, allowsExternal).second)
        return;  // none of them knows another state
    for (Engine* other : m_others)
        other->ask(protocol::OpenRequest{.path = path, .allowExternal = allowsExternal},
                   [](const Answer<protocol::DumpOpened>&) {});
}

void Document::setDumpState(DumpState state)
{
    m_dumpState = state;
    Q_EMIT dumpChanged();
    tellIfIdle();
}

const TensorGraph& Document::graph() const
{
    if (!m_graph)
        m_graph = tensorGraph(tensors());
    return *m_graph;
}

QByteArray Document::neededParts() const
{
    if (m_selected < 0 || tensors().size() > NameParts::mostNames)
        return {};
    if (!m_parts) {
        std::vector<std::string_view> names;
        for (const TensorInfo& one : tensors())
            names.push_back(one.name);
        m_parts.emplace(names);
    }
    return m_parts->needs(tensor(m_selected).name);
}

Document::Neighbours Document::neighboursOf(int tensor) const
{
    Neighbours found;
    if (tensor < 0)
        return found;
    const auto wanted = static_cast<std::size_t>(tensor);
    const auto add = [](std::vector<int>& list, std::optional<std::size_t> one) {
        if (one)
            list.push_back(static_cast<int>(*one));
    };
    const TensorGraph& all = graph();
    for (std::size_t index = 0; index < all.nodes.size(); ++index) {
        const GraphNode& node = all.nodes[index];
        if (node.tensor == wanted) {
            for (const std::size_t input : all.inputs[index])
                add(found.takes, all.nodes[input].tensor);
            for (const std::size_t operand : node.operands)
                add(found.takes, operand);
        }
        const bool takes = std::ranges::find(node.operands, wanted) != node.operands.end() ||
                           std::ranges::any_of(all.inputs[index], [&](std::size_t input) {
                               return all.nodes[input].tensor == wanted;
                           });
        if (takes)
            add(found.takenBy, node.tensor);
    }
    return found;
}

TensorRef Document::addressOf(int tensor) const
{
    return {.file = m_path.toStdString(),
            .allowExternal = m_allowsExternal,
            .index = static_cast<std::uint64_t>(tensor),
            .layoutOverride = m_tensors->layoutOverride(tensor)};
}

void Document::select(int tensor)
{
    if (m_dumpState != DumpState::Open)
        return;
    m_selected = tensor;
    const TensorInfo* info = selectedTensor();
    m_navigation.visit(info ? info->path : std::string());
    Q_EMIT selectionChanged();
    Q_EMIT selectionReported();
}

const TensorInfo* Document::selectedTensor() const
{
    return m_selected < 0 ? nullptr : &tensor(m_selected);
}

void Document::visit(const std::optional<std::string>& path)
{
    if (!path)
        return;
    const auto found = std::ranges::find(tensors(), *path, &TensorInfo::path);
    select(found == tensors().end() ? -1 : static_cast<int>(found - tensors().begin()));
}

void Document::goBack()
{
    visit(m_navigation.back());
}

void Document::goForward()
{
    visit(m_navigation.forward());
}

void Document::change(const QString& text, const std::function<void(Workbench&)>& edit,
                      const QString& mergeKey)
{
    const Workbench before = m_workbench;
    Workbench after = before;
    edit(after);
    if (after == before)
        return;
    const bool isStep = m_dumpState == DumpState::Open;
    if (isStep)
        m_history.record(text, mergeKey, before, after);
    apply(std::move(after), isStep ? DocumentChange::Undoable : DocumentChange::Parts());
}

void Document::keepGains(const MeasuredGains& gains)
{
    if (gains == m_workbench.gains)
        return;
    Workbench now = m_workbench;
    now.gains = gains;
    apply(std::move(now), {});
}

void Document::undo()
{
    goTo(m_history.undo());
}

void Document::redo()
{
    goTo(m_history.redo());
}

void Document::goToStep(std::size_t done)
{
    goTo(m_history.goTo(done));
}

void Document::goTo(std::optional<Workbench> wanted)
{
    if (!wanted)
        return;
    const Workbench before = m_workbench;
    wanted->gains = before.gains;
    apply(*std::move(wanted), DocumentChange::Undoable | DocumentChange::Replayed);
    showWhatChanged(before);
}

/// A manual range comes and goes on one tensor: whoever undoes it wants to see it.
void Document::showWhatChanged(const Workbench& before)
{
    if (before.manualRange == m_workbench.manualRange)
        return;
    for (const TensorInfo& tensor : tensors()) {
        const auto was = before.manualRange.find(tensor.path);
        const auto is = m_workbench.manualRange.find(tensor.path);
        const bool existed = was != before.manualRange.end();
        const bool exists = is != m_workbench.manualRange.end();
        if (existed != exists || (exists && was->second != is->second))
            if (const int index = static_cast<int>(&tensor - tensors().data()); index != m_selected)
                return select(index);
    }
}

void Document::apply(Workbench wanted, DocumentChange::Parts parts)
{
    const Workbench before = std::exchange(m_workbench, std::move(wanted));
    const bool wasApplying = std::exchange(m_isApplying, true);
    parts |= DocumentChange::Workbench;
    parts.setFlag(DocumentChange::Recipe, m_workbench.recipe != before.recipe);
    parts.setFlag(DocumentChange::Ticks, m_workbench.ticks != before.ticks);
    parts.setFlag(DocumentChange::Display, m_workbench.display != before.display);
    if (m_workbench.said != before.said)
        applySaid();
    if (parts.testFlag(DocumentChange::Recipe))
        m_recipe = &recipeOrFirst(m_workbench.recipe);
    Q_EMIT changing({.parts = parts, .before = before});
    m_isApplying = wasApplying;
    Q_EMIT changed({.parts = parts | std::exchange(m_during, {}), .before = before});
}

/// What a change came to concern on its way is reported with it.
void Document::reportOutcomes()
{
    if (m_isApplying)
        m_during |= DocumentChange::Outcomes;
    else
        Q_EMIT changed({.parts = DocumentChange::Outcomes, .before = m_workbench});
}

void Document::applySaid()
{
    m_parts.reset();  // of names that are written anew
    const DumpTensors::Changed changed = m_tensors->saySolely(m_workbench.said);
    if (!changed.anew.empty())
        readAnew(changed.anew, TensorValues::Other);
    if (!changed.confirmed.empty())
        Q_EMIT tensorsChanged(changed.confirmed, TensorValues::Same);
}

void Document::readAnew(const std::vector<int>& tensors, TensorValues values)
{
    m_consumers.emplace(this->tensors());
    m_graph.reset();
    m_parts.reset();
    Q_EMIT tensorsChanged(tensors, values);
    // Where a dump grew, answers on all tensors are forgotten.
    if ((values == TensorValues::More && m_selected >= 0) ||
        std::ranges::find(tensors, m_selected) != tensors.end())
        select(m_selected);
}

/// What was decided on the tensors of one file says nothing about those of another.
void Document::forgetDecisionsOnTensors()
{
    m_tensors = std::make_shared<DumpTensors>();
    m_navigation.clear();
    m_workbench = sharedPart(m_workbench);
    m_history.clear();
    Q_EMIT changed({.parts = DocumentChange::Undoable, .before = m_workbench});
}

bool Document::isIdle() const
{
    return m_dumpState != DumpState::Opening && !m_isCatchingUp && m_questions->isIdle() &&
           m_previews->isIdle();
}

void Document::tellIfIdle()
{
    if (isIdle())
        Q_EMIT idle();
}

}  // namespace calibscope
