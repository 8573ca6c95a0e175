// What the user decides, step by step, and how Session undoes it.
#include "ui/document/session.h"

#include "ui/document/workbench.h"

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

/// The recipe of that id, else the first one: an id may be from another
/// version's settings.
const Recipe& recipeOrFirst(const std::string& id)
{
    const std::vector<Recipe>& known = recipes();
    const auto found = std::ranges::find(known, id, &Recipe::id);
    return found == known.end() ? known.front() : *found;
}

/// What makes the second of the first, as a step that can be undone.
QString nameOf(const PlotDisplay& before, const PlotDisplay& after)
{
    if (before.isLogCount != after.isLogCount)
        return Session::tr("Log y axis");
    if (before.isLogX != after.isLogX)
        return Session::tr("Log x axis");
    if (before.domain != after.domain)
        return Session::tr("Magnitudes");
    if (before.areAxesLinked != after.areAxesLinked)
        return after.areAxesLinked ? Session::tr("Link axes") : Session::tr("Unlink axes");
    if (before.isTableShown != after.isTableShown)
        return after.isTableShown ? Session::tr("Show table") : Session::tr("Hide table");
    return Session::tr("Quantity of the y axis");
}

}  // namespace

void Session::change(const QString& text, const std::function<void(Workbench&)>& edit,
                     const QString& mergeKey)
{
    const Workbench before = m_workbench;
    Workbench after = before;
    edit(after);
    if (after == before)
        return;
    if (m_dumpState == DumpState::Open) {
        m_history.record(text, mergeKey, before, after);
        Q_EMIT historyChanged();
    }
    apply(std::move(after));
}

void Session::undo()
{
    goTo(m_history.undo());
}

void Session::redo()
{
    goTo(m_history.redo());
}

void Session::goTo(std::optional<Workbench> wanted)
{
    if (!wanted)
        return;
    const Workbench before = m_workbench;
    apply(*std::move(wanted));
    Q_EMIT historyChanged();
    showWhatChanged(before);
}

/// A manual range comes and goes on one tensor: whoever undoes it wants to see
/// it.
void Session::showWhatChanged(const Workbench& before)
{
    if (before.manualRange == m_workbench.manualRange)
        return;
    for (const TensorInfo& tensor : tensors()) {
        const auto was = before.manualRange.find(tensor.path);
        const auto is = m_workbench.manualRange.find(tensor.path);
        const bool existed = was != before.manualRange.end();
        const bool exists = is != m_workbench.manualRange.end();
        if (existed != exists || (exists && was->second != is->second))
            if (const int place = static_cast<int>(&tensor - tensors().data()); place != m_selected)
                return select(place);
    }
}

void Session::apply(Workbench wanted)
{
    const Workbench before = std::exchange(m_workbench, std::move(wanted));
    if (m_workbench.said != before.said)
        applySaid();
    if (m_workbench.recipe != before.recipe)
        applyRecipe();
    const bool areOtherRows = m_workbench.edits != before.edits ||
                              m_workbench.added != before.added ||
                              m_workbench.manualRange != before.manualRange ||
                              m_workbench.manualScheme != before.manualScheme;
    if (areOtherRows || m_workbench.recipe != before.recipe) {
        dropFromMatrix(before);
        wantOutcomes();
    }
    if (areOtherRows || m_workbench.baseline != before.baseline)
        Q_EMIT outcomesChanged();
    if (m_workbench.ticks != before.ticks)
        Q_EMIT ticksChanged();
    if (m_workbench.display != before.display)
        Q_EMIT displayChanged();
    Q_EMIT workbenchChanged(before);
}

/// What was decided on the tensors of one file says nothing about those of
/// another.
void Session::forgetDecisionsOnTensors()
{
    m_tensors.clear();
    m_navigation.clear();
    m_workbench = sharedPart(m_workbench);
    m_history.clear();
    Q_EMIT historyChanged();
}

void Session::chooseRecipe(const QString& id)
{
    const Recipe& chosen = recipeOrFirst(id.toStdString());
    change(tr("Recipe %1").arg(QString::fromStdString(chosen.title)),
           [&chosen](Workbench& workbench) { workbench.recipe = chosen.id; });
}

void Session::applyRecipe()
{
    m_recipe = &recipeOrFirst(m_workbench.recipe);
    m_previews.clear();
    m_failedPreviews.clear();
    Q_EMIT recipeChanged();
    if (m_dumpState == DumpState::Open)
        startPreviews();
}

void Session::setTicked(const std::string& label, bool isTicked)
{
    const QString shown = QString::fromStdString(label);
    change(isTicked ? tr("Show %1").arg(shown) : tr("Hide %1").arg(shown),
           [&](Workbench& workbench) { workbench.ticks[label] = isTicked; });
}

void Session::setDisplay(const Display& display)
{
    const Display now = m_workbench.display;
    change(nameOf(now, display), [&display](Workbench& workbench) {
        // What was looked at is elsewhere then.
        if (workbench.display.domain != display.domain)
            workbench.zooms.clear();
        if (workbench.display.quantity != display.quantity)
            for (auto& [page, kept] : workbench.zooms)
                kept.zoom.y.reset();
        workbench.display = display;
    });
}

void Session::setSecondary(Secondary secondary)
{
    change(tr("Lower plot"),
           [secondary](Workbench& workbench) { workbench.secondary = secondary; });
}

void Session::setQuantizedShown(bool isShown)
{
    change(isShown ? tr("Show quantized histogram") : tr("Hide quantized histogram"),
           [isShown](Workbench& bench) { bench.display.isQuantizedShown = isShown; });
}

void Session::setBaseline(const std::string& label)
{
    change(label.empty() ? tr("No baseline") : tr("Baseline %1").arg(QString::fromStdString(label)),
           [&label](Workbench& workbench) { workbench.baseline = label; });
}

void Session::setPinned(const std::vector<int>& tensors, bool isPinned)
{
    change(isPinned ? tr("Pin") : tr("Unpin"), [&](Workbench& workbench) {
        for (const int place : tensors)
            isPinned ? (void)workbench.pins.insert(tensor(place).path)
                     : (void)workbench.pins.erase(tensor(place).path);
    });
}

void Session::setExcluded(const std::vector<int>& tensors, bool isExcluded)
{
    change(isExcluded ? tr("Exclude") : tr("Include"), [&](Workbench& workbench) {
        for (const int place : tensors)
            isExcluded ? (void)workbench.excluded.insert(tensor(place).path)
                       : (void)workbench.excluded.erase(tensor(place).path);
    });
}

bool Session::isPinned(int tensor) const
{
    return m_workbench.pins.contains(this->tensor(tensor).path);
}

bool Session::isExcluded(int tensor) const
{
    return m_workbench.excluded.contains(this->tensor(tensor).path);
}

void Session::setZoom(const QString& page, const Zoom& zoom, const QString& gesture)
{
    const TensorInfo* tensor = selectedTensor();
    if (!tensor)
        return;
    change(
        tr("Zoom"),
        [&](Workbench& workbench) {
            if (zoom == Zoom{})
                workbench.zooms.erase(page.toStdString());
            else
                workbench.zooms[page.toStdString()] = {.tensor = tensor->path, .zoom = zoom};
        },
        gesture.isEmpty() ? QString() : "zoom " + page + " " + gesture);
}

Zoom Session::zoom(const QString& page) const
{
    const TensorInfo* tensor = selectedTensor();
    const auto found = m_workbench.zooms.find(page.toStdString());
    const bool isOfTensor =
        tensor && found != m_workbench.zooms.end() && found->second.tensor == tensor->path;
    return isOfTensor ? found->second.zoom : Zoom{};
}

}  // namespace calibscope
