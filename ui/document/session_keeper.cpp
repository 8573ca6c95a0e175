// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/session_keeper.h"

#include "ui/document/workbench.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

HeldDump heldDump(const SessionDump& dump, const Workbench& shared)
{
    return {.path = QString::fromStdString(dump.identity.path),
            .identity = dump.identity,
            .isRecording = dump.isRecording,
            .allowsExternal = dump.allowsExternal,
            .selected = dump.selected,
            .workbench = joined(dump.own, shared),
            .history = {}};
}

SessionDump sessionDump(const HeldDump& held)
{
    SessionDump dump{.identity = held.identity,
                     .isRecording = held.isRecording,
                     .allowsExternal = held.allowsExternal,
                     .selected = held.selected,
                     .own = ownPart(held.workbench)};
    dump.identity.path = held.path.toStdString();
    return dump;
}

/// What the session file asks for and the user has not allowed is not done.
SessionDocument withinRights(SessionDocument session, const QString& path,
                             const ExternalRights& rights)
{
    for (SessionDump& dump : session.dumps)
        dump.allowsExternal =
            dump.allowsExternal && rights.has(path, QString::fromStdString(dump.identity.path));
    return session;
}

QString rightsFile(const QString& autosaveFolder)
{
    return autosaveFolder.isEmpty()
               ? QString()
               : QFileInfo(autosaveFolder).absolutePath() + QStringLiteral("/external-rights.json");
}

/// The shown dump as it is now; its steps are not wanted, and many.
void bringUpToDate(SessionDump& shown, const Document& document)
{
    if (document.path().toStdString() != shown.identity.path)
        return;
    shown.own = ownPart(document.workbench());
    shown.allowsExternal = document.allowsExternal();
    if (document.dumpState() != Document::DumpState::Open)
        return;
    const TensorInfo* selected = document.selectedTensor();
    shown.selected = selected ? selected->path : std::string();
    const std::string path = shown.identity.path;
    shown.identity = document.dump().identity;
    shown.identity.path = path;
    shown.isRecording = document.isRecording();
}

}  // namespace

SessionKeeper::SessionKeeper(Document& document, WindowDumps& dumps, LayoutNow layoutNow,
                             const QString& autosaveFolder, QObject* parent)
    : QObject(parent),
      m_document(document),
      m_dumps(dumps),
      m_layoutNow(std::move(layoutNow)),
      m_autosave(m_files, autosaveFolder, [this] { return session(); }),
      m_rights(rightsFile(autosaveFolder))
{
    constexpr int lookingMs = 100;
    m_looking.setSingleShot(true);
    m_looking.setInterval(lookingMs);
    connect(&m_looking, &QTimer::timeout, this, &SessionKeeper::look);
    connect(&document, &Document::changed, this, [this](const DocumentChange& change) {
        if (change.concerns(DocumentChange::Workbench))
            noteChange();
    });
    connect(&document, &Document::selectionChanged, this, &SessionKeeper::noteChange);
    connect(&dumps, &WindowDumps::changed, this, [this] {
        if (m_dumps.count() == 0)
            forgetFile();  // what is opened next is another session
        noteChange();
    });
}

SessionDocument SessionKeeper::session() const
{
    SessionDocument session{.dumps = {},
                            .shown = m_dumps.shown().value_or(0),
                            .shared = sharedPart(m_document.workbench()),
                            .layout = m_layoutNow(),
                            .autosaveOf = m_path.toStdString(),
                            .autosaveOfSha256 = m_sha256};
    std::ranges::transform(m_dumps.all(), std::back_inserter(session.dumps), sessionDump);
    if (m_dumps.shown())
        bringUpToDate(session.dumps[*m_dumps.shown()], m_document);
    return session;
}

void SessionKeeper::open(const QString& path)
{
    ++m_pending;
    const QString absolute = QFileInfo(path).absoluteFilePath();
    m_files.read(absolute, [this, absolute](const SessionFiles::Read& read) {
        --m_pending;
        if (!read.session) {
            Q_EMIT failed(read.failure);
            return;
        }
        m_autosave.drop();
        const SessionDocument opening = withinRights(*read.session, absolute, m_rights);
        show(opening);
        m_path = absolute;
        m_sha256 = read.sha256;
        m_saved = session();
        Q_EMIT opened(opening);
        Q_EMIT changed();
    });
}

/// What all dumps share comes first, so that no step of theirs has to take it in.
void SessionKeeper::show(const SessionDocument& session)
{
    m_document.close();
    m_document.change(QString(), [&session](Workbench& workbench) {
        workbench = joined(workbench, session.shared);
    });
    std::vector<HeldDump> dumps;
    for (const SessionDump& dump : session.dumps)
        dumps.push_back(heldDump(dump, m_document.workbench()));
    m_dumps.replaceAll(std::move(dumps), session.shown);
}

void SessionKeeper::save(const QString& path, Others others)
{
    ++m_pending;
    const QString absolute = QFileInfo(path).absoluteFilePath();
    SessionDocument saving = session();
    saving.autosaveOf.clear();
    saving.autosaveOfSha256.clear();
    SessionFiles::Writing writing;
    if (others == Others::Keep && absolute == m_path)
        writing.expectedSha256 = m_sha256;
    m_files.write(saving, absolute, writing,
                  [this, absolute, saving](const SessionFiles::Written& written) {
                      --m_pending;
                      if (written.isOthers)
                          Q_EMIT changedByAnother(absolute);
                      else if (!written.failure.isEmpty())
                          Q_EMIT failed(written.failure);
                      else
                          takeSaved(saving, absolute, written.sha256);
                  });
}

void SessionKeeper::takeSaved(const SessionDocument& session, const QString& path,
                              const std::string& sha256)
{
    m_path = path;
    m_sha256 = sha256;
    m_saved = session;
    for (const SessionDump& dump : session.dumps)
        if (dump.allowsExternal)
            m_rights.add(path, QString::fromStdString(dump.identity.path));
    if (!isModified())
        m_autosave.drop();
    Q_EMIT saved(path);
    Q_EMIT changed();
}

void SessionKeeper::forgetFile()
{
    m_path.clear();
    m_sha256.clear();
}

bool SessionKeeper::isModified() const
{
    if (!m_path.isEmpty())
        return !isSameWork(session(), m_saved);
    const SessionDocument now = session();
    return !isUntouched(now.shared) || std::ranges::any_of(now.dumps, [](const SessionDump& dump) {
        return !isUntouched(dump.own);
    });
}

void SessionKeeper::restore(const Autosave::Leftover& leftover)
{
    show(leftover.session);
    m_path = QString::fromStdString(leftover.session.autosaveOf);
    m_sha256 = leftover.session.autosaveOfSha256;
    m_saved = {};
    m_autosave.keepNow();
    m_autosave.removeLeftover(leftover.path);
    Q_EMIT opened(leftover.session);
    Q_EMIT changed();
}

/// A drag changes something sixty times a second.
void SessionKeeper::noteChange()
{
    if (!m_looking.isActive())
        m_looking.start();
}

void SessionKeeper::look()
{
    const bool isNow = isModified();
    if (isNow)
        m_autosave.keepSoon();
    else
        m_autosave.drop();
    Q_EMIT changed();
}

}  // namespace calibscope
