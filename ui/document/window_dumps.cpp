// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/window_dumps.h"

#include "ui/document/workbench.h"
#include "ui/plot/number_label.h"
#include "ui/queries/addresses.h"
#include "ui/theme/translate.h"

#include <QMetaObject>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace calibscope {

QString identityChanges(const FileIdentity& was, const FileIdentity& is)
{
    if (was.headerSha256.empty() || is.headerSha256.empty())
        return {};
    QStringList changes;
    if (was.bytes != is.bytes)
        changes += tr("size from %1 to %2 bytes").arg(countLabel(was.bytes), countLabel(is.bytes));
    if (was.modified != is.modified)
        changes +=
            tr("time from %1 to %2")
                .arg(QString::fromStdString(was.modified), QString::fromStdString(is.modified));
    if (was.headerSha256 != is.headerSha256)
        changes += tr("header");
    else if (!changes.isEmpty())
        changes += tr("header unchanged");
    return changes.join(QStringLiteral(", "));
}

std::optional<std::size_t> OpenDumps::placeOf(const QString& path) const
{
    const auto found = std::ranges::find(m_all, path, &HeldDump::path);
    if (found == m_all.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - m_all.begin());
}

std::optional<std::size_t> OpenDumps::neighbour(int step) const
{
    const auto count = std::ssize(m_all);
    if (!m_shown || count < 2)
        return std::nullopt;
    const auto place = (static_cast<std::ptrdiff_t>(*m_shown) + step) % count;
    return static_cast<std::size_t>(place < 0 ? place + count : place);
}

void OpenDumps::show(const HeldDump& dump)
{
    m_shown = placeOf(dump.path);
    if (m_shown)
        return;
    m_shown = m_all.size();
    m_all.push_back(dump);
}

void OpenDumps::keepShown(const HeldDump& dump)
{
    if (m_shown)
        m_all[*m_shown] = dump;
}

void OpenDumps::removeShown()
{
    if (!m_shown)
        return;
    m_all.erase(m_all.begin() + static_cast<std::ptrdiff_t>(*m_shown));
    if (m_all.empty())
        m_shown.reset();
    else
        m_shown = std::min(*m_shown, m_all.size() - 1);
}

void OpenDumps::clear()
{
    m_all.clear();
    m_shown.reset();
}

WindowDumps::WindowDumps(Document& document, QObject* parent)
    : QObject(parent), m_document(document)
{
    connect(&document, &Document::dumpChanged, this, &WindowDumps::followDocument);
}

void WindowDumps::open(const QString& path, const Document::OpenOptions& options)
{
    const QString absolute = wholePath(path);
    m_isGoingBack = false;
    m_before = m_document.dumpState() == Document::DumpState::Open ? m_document.path() : QString();
    leaveShown();
    const bool isKnown = m_dumps.placeOf(absolute).has_value();
    m_dumps.show({.path = absolute,
                  .identity = {},
                  .allowsExternal = options.allowExternal,
                  .selected = options.tensor.toStdString(),
                  .workbench = {},
                  .history = {}});
    if (!isKnown) {
        m_expected.reset();
        m_document.open(absolute, options);
        Q_EMIT changed();
        return;
    }
    HeldDump known = m_dumps.all()[*m_dumps.shown()];
    known.allowsExternal = known.allowsExternal || options.allowExternal;
    if (!options.tensor.isEmpty())
        known.selected = options.tensor.toStdString();
    m_dumps.keepShown(known);
    resume(*m_dumps.shown());
}

void WindowDumps::openAs(const HeldDump& dump)
{
    leaveShown();
    m_dumps.show(dump);
    m_dumps.keepShown(dump);
    resume(*m_dumps.shown());
}

std::optional<HeldDump> WindowDumps::held(const QString& path) const
{
    const std::optional<std::size_t> place = m_dumps.placeOf(path);
    if (!place)
        return std::nullopt;
    return path == m_document.path() ? m_document.held() : m_dumps.all()[*place];
}

void WindowDumps::add(const QStringList& paths)
{
    keepShown();
    const std::optional<std::size_t> shown = m_dumps.shown();
    for (const QString& path : paths)
        m_dumps.show({.path = wholePath(path)});
    if (shown)
        m_dumps.show(*shown);
    Q_EMIT changed();
}

void WindowDumps::show(std::size_t place)
{
    if (place == m_dumps.shown() || place >= count())
        return;
    const QString path = pathOf(place);
    leaveShown();
    m_dumps.show(m_dumps.placeOf(path).value_or(0));
    resume(*m_dumps.shown());
}

void WindowDumps::step(int step)
{
    if (const std::optional<std::size_t> place = m_dumps.neighbour(step))
        show(*place);
}

void WindowDumps::closeShown()
{
    m_dumps.removeShown();
    m_expected.reset();
    if (m_dumps.shown())
        return resume(*m_dumps.shown());
    m_document.close();
    Q_EMIT changed();
}

void WindowDumps::replaceAll(std::vector<HeldDump> dumps, std::size_t shown)
{
    m_dumps.clear();
    for (const HeldDump& dump : dumps)
        m_dumps.show(dump);
    if (dumps.empty())
        return closeShown();
    m_dumps.show(m_dumps.placeOf(dumps.at(shown).path).value_or(0));
    resume(*m_dumps.shown());
}

void WindowDumps::relocateShown(const QString& path)
{
    keepShown();
    if (!m_dumps.shown())
        return;
    HeldDump moved = m_dumps.all()[*m_dumps.shown()];
    moved.path = wholePath(path);
    m_dumps.keepShown(moved);
    resume(*m_dumps.shown());
}

void WindowDumps::keepShown()
{
    if (!m_dumps.shown() || m_document.dumpState() == Document::DumpState::None)
        return;
    HeldDump now = m_document.held();
    if (now.path != m_dumps.all()[*m_dumps.shown()].path)
        return;
    if (m_document.dumpState() != Document::DumpState::Open) {  // the file that it was
        now.identity = m_dumps.all()[*m_dumps.shown()].identity;
        now.isRecording = m_dumps.all()[*m_dumps.shown()].isRecording;
    }
    m_dumps.keepShown(now);
}

/// What was not a dump at all is not kept.
void WindowDumps::leaveShown()
{
    keepShown();
    if (!m_dumps.shown() || m_document.dumpState() != Document::DumpState::Failed)
        return;
    const HeldDump& left = m_dumps.all()[*m_dumps.shown()];
    if (left.identity.headerSha256.empty() && isUntouched(ownPart(left.workbench)))
        m_dumps.removeShown();
}

void WindowDumps::resume(std::size_t place)
{
    const HeldDump held = m_dumps.all()[place];
    m_expected = held.identity;
    m_expectsMore = held.isRecording;
    m_document.resume(held);
    Q_EMIT changed();
}

/// Only from what has not been a dump yet: decisions may have been taken on others.
bool WindowDumps::goesBack() const
{
    if (!m_dumps.shown() || !m_dumps.placeOf(m_before) || m_before == m_document.path())
        return false;
    const HeldDump& failed = m_dumps.all()[*m_dumps.shown()];
    return failed.identity.headerSha256.empty() && isUntouched(ownPart(failed.workbench));
}

/// Once all know that it failed.
void WindowDumps::goBack()
{
    m_isGoingBack = true;
    m_dumps.removeShown();
    m_dumps.show(*m_dumps.placeOf(m_before));
    QMetaObject::invokeMethod(
        this,
        [this, path = m_document.path(), problem = m_document.dumpProblem()] {
            if (!std::exchange(m_isGoingBack, false) || !m_dumps.shown())
                return;
            resume(*m_dumps.shown());
            Q_EMIT couldNotOpen(path, problem);
        },
        Qt::QueuedConnection);
    Q_EMIT changed();
}

/// Whoever opens or closes a dump without asking here is followed.
void WindowDumps::followDocument()
{
    const Document::DumpState state = m_document.dumpState();
    if (state == Document::DumpState::None && m_dumps.shown()) {
        // Its opening was cancelled: the one before is shown again, once all know of this.
        m_dumps.removeShown();
        if (m_dumps.shown())
            QMetaObject::invokeMethod(
                this,
                [this] {
                    if (m_document.dumpState() == Document::DumpState::None && m_dumps.shown())
                        resume(*m_dumps.shown());
                },
                Qt::QueuedConnection);
        Q_EMIT changed();
    } else if (state != Document::DumpState::None &&
               (!m_dumps.shown() || m_document.path() != pathOf(*m_dumps.shown()))) {
        m_expected.reset();
        m_dumps.show(m_document.held());
        Q_EMIT changed();
    }
    if (state == Document::DumpState::Failed && goesBack())
        return goBack();
    if (state != Document::DumpState::Open)
        return;
    m_before.clear();
    const std::optional<FileIdentity> expected = std::exchange(m_expected, std::nullopt);
    if (!expected)
        return;
    const FileIdentity& now = m_document.dump().identity;
    if (const QString changes = identityChanges(*expected, now); !changes.isEmpty())
        Q_EMIT changedSince(changes, m_expectsMore && now.bytes >= expected->bytes);
}

}  // namespace calibscope
