// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/file_controller.h"

#include "core/base/error.h"
#include "core/base/folder_files.h"
#include "core/base/location.h"
#include "core/tensor/container_kind.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/document/session_document.h"
#include "ui/document/workbench.h"
#include "ui/pages/start/start_page.h"
#include "ui/plot/number_label.h"
#include "ui/queries/addresses.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/state_notice.h"
#include "ui/window/actions.h"
#include "ui/window/import_controller.h"
#include "ui/window/message_controller.h"
#include "ui/window/preferences.h"
#include "ui/window/session_controller.h"

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QDir>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMetaObject>
#include <QMimeData>
#include <QTimer>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace calibscope {

namespace {

/// The local files that are dragged; none if there is anything else among them.
QStringList draggedFiles(const QMimeData& data)
{
    QStringList files;
    for (const QUrl& url : data.urls())
        files += url.toLocalFile();
    return files.contains(QString()) ? QStringList() : files;
}

/// What files of one kind have in common: the ending of their names; folders have none.
QString kindOf(const QString& path)
{
    const QFileInfo file(path);
    return file.isDir() ? QString() : file.suffix().toLower();
}

/// "&1 " to "&9 ", then letters, so that each recent file can be typed.
QString recentMnemonic(int place)
{
    const QString digits = QStringLiteral("123456789abd");  // c: clear list
    return place < digits.size() ? QStringLiteral("&%1  ").arg(digits[place]) : QString();
}

/// How much there is of a recording: of the tensor that has most.
QString followedText(const std::vector<TensorInfo>& tensors)
{
    const TensorInfo* most = nullptr;
    for (const TensorInfo& tensor : tensors)
        if (tensor.role == Role::Activation && tensor.isReadable() &&
            (!most || tensor.sampleCount() > most->sampleCount()))
            most = &tensor;
    if (!most)
        return FileController::tr("following");
    const bool isInBatches = most->batchSize > 0;
    return FileController::tr("following: %1, %2")
        .arg(isInBatches ? countText(most->batchCount(), FileController::tr("1 batch"),
                                     FileController::tr("%1 batches"))
                         : countText(tensors.size(), FileController::tr("1 tensor"),
                                     FileController::tr("%1 tensors")),
             countText(most->sampleCount(), FileController::tr("1 sample"),
                       FileController::tr("%1 samples")));
}

}  // namespace

QString sampleDumpPath()
{
    const QDir programs(QCoreApplication::applicationDirPath());
    const QFileInfo file(programs.filePath(QStringLiteral("../share/calibscope/sample/sample.h5")));
    return file.isReadable() ? file.canonicalFilePath() : QString();
}

FileController::FileController(Document& document, WindowDumps& dumps, SessionController& sessions,
                               Preferences& preferences, MessageController& messages,
                               const Pages& pages, const FarSide& farSide, QWidget& window)
    : m_document(document),
      m_dumps(dumps),
      m_sessions(sessions),
      m_preferences(preferences),
      m_messages(messages),
      m_pages(pages),
      m_farSide(farSide),
      m_window(window),
      m_watch(farSide.engine),
      m_recent(new QMenu(tr("Open rece&nt"), &window))
{
    m_recent->menuAction()->setStatusTip(tr("Recently opened dumps."));
    pages.start.setSampleAvailable(hasSample());
    connect(&pages.start, &StartPage::openRequested, this, &FileController::askForFile);
    connect(&pages.start, &StartPage::sampleRequested, this, &FileController::openSample);
    connect(&pages.start, &StartPage::fileRequested, this,
            [this](const QString& path) { open(path); });
    connect(&pages.start, &StartPage::missingFilesFound, this, &FileController::greyMissing);
    connect(&pages.failure, &StateNotice::buttonClicked, &document.questions(),
            &Questions::readAgain);
    connect(&pages.failure, &StateNotice::secondButtonClicked, this, &FileController::askForFile);
    connect(&sessions, &SessionController::fileUsed, this, &FileController::remember);
    connect(&document, &Document::dumpChanged, this, &FileController::watchShown);
    connect(&dumps, &WindowDumps::couldNotOpen, this, &FileController::sayNotOpened);
    connect(&document, &Document::caughtUp, this, &FileController::takeCaughtUp);
    connect(&document, &Document::idle, this, &FileController::catchUpIfDue);
    // Batches come all the time: that there are some is reported once.
    constexpr int firstBatchesMs = 10000;
    m_unreported.setSingleShot(true);
    m_unreported.setInterval(firstBatchesMs);
    connect(&m_unreported, &QTimer::timeout, this, [this] {
        if (isFollowing() || !isGrowing())
            return;
        m_hasReported = true;
        sayChanged(false);
    });
    connect(&m_watch, &FileWatch::changed, this, [this] {
        if (!isFollowing() && !isGrowing())
            return sayChanged(false);
        if (!isFollowing()) {
            if (!m_hasReported && !m_unreported.isActive())
                m_unreported.start();
            return;
        }
        m_isDue = true;
        catchUpIfDue();
    });
    connect(&m_watch, &FileWatch::disappeared, this, [this] { sayChanged(true); });
    showRecent();
}

void FileController::addRecentTo(const Actions& actions)
{
    actions.menu(Menu::File).insertMenu(&actions[QStringLiteral("file.reload")], m_recent);
}

void FileController::open(const QString& path, const Document::OpenOptions& options)
{
    if (isSessionFile(path) && !isFarAway(path))
        return m_sessions.open(path);
    m_farSide.machines.allow(machineOf(path));
    m_dumps.open(path, options);
}

void FileController::openTogether(const QStringList& paths, const Document::OpenOptions& options,
                                  Together together)
{
    QStringList dumps = paths;
    QStringList models;
    const auto isModel = [](const QString& path) {
        return path.endsWith(QStringLiteral(".onnx"), Qt::CaseInsensitive);
    };
    if (!std::ranges::all_of(dumps, isModel))
        std::ranges::copy_if(dumps, std::back_inserter(models), isModel);
    dumps.removeIf([&](const QString& path) { return models.contains(path); });
    if (!models.isEmpty())
        Q_EMIT modelGiven(models.front());
    if (dumps.isEmpty())
        return;
    const bool isJoinable = std::ranges::none_of(dumps, [](const QString& path) {
        return isFarAway(path) || isSessionFile(path) || isDumpList(path.toStdString());
    });
    const bool areTwo = dumps.size() == 2;
    const bool areAlike = areTwo && kindOf(dumps.front()) == kindOf(dumps.back());
    if (dumps.size() > 1 && isJoinable &&
        (together == Together::AsOne || (together == Together::AsUsual && !areAlike))) {
        openAsOne(dumps, options);
        return offer(tr("%1 files are shown as one dump.").arg(dumps.size()), dumps, options,
                     Together::Each);
    }
    open(dumps.front(), options);
    if (dumps.size() == 1)
        return;
    if (!isJoinable && !areTwo) {
        for (const QString& path : dumps.mid(1))
            open(path, options);
        return;
    }
    m_dumps.add(dumps.mid(1));
    if (areTwo)
        Q_EMIT secondDropped(dumps.back());
    if (isJoinable)
        offer(tr("%1 dumps were opened.").arg(dumps.size()), dumps, options, Together::AsOne);
}

void FileController::openAsOne(const QStringList& paths, const Document::OpenOptions& options)
{
    std::vector<std::string> dumps;
    for (const QString& path : paths)
        dumps.push_back(wholePath(path).toStdString());
    try {
        open(QString::fromStdString(writtenDumpList(std::move(dumps))), options);
    } catch (const Error& error) {
        m_messages.say(QString::fromStdString(error.what()), {}, MessageBar::Kind::Problem);
    }
}

/// When the dump is open, which clears the bar.
void FileController::offer(const QString& sentence, const QStringList& paths,
                           const Document::OpenOptions& options, Together other)
{
    if (m_document.dumpState() != Document::DumpState::Opening)
        return;
    const QString text = other == Together::AsOne ? tr("As &one dump")
                         : paths.size() == 2      ? tr("&Compare them")
                                                  : tr("&Each by itself");
    const MessageBar::Remedy remedy{text, [this, paths, options, other] {
                                        if (other == Together::AsOne)
                                            Q_EMIT secondDropped({});
                                        openTogether(paths, options, other);
                                    }};
    connect(
        &m_document, &Document::dumpChanged, this,
        [this, sentence, remedy] {
            if (m_document.dumpState() == Document::DumpState::Open)
                m_messages.say(sentence, {remedy}, MessageBar::Kind::Note);
        },
        static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
}

void FileController::openLast()
{
    if (m_preferences.reopensLast() && !m_preferences.recentFiles().isEmpty())
        open(m_preferences.recentFiles().front());
}

void FileController::closeShown()
{
    if (isUntouched(ownPart(m_document.workbench())) || m_sessions.mayLose())
        m_dumps.closeShown();
}

void FileController::askForFile()
{
    openTogether(QFileDialog::getOpenFileNames(
        &m_window, tr("Open dumps"), folderHere(m_document.path()),
        tr("Dumps and models (%1);;Sessions (*.calsession);;All files (*)")
            .arg(QString::fromStdString(containerPatterns()))));
}

void FileController::askForFolder()
{
    const QString path = QFileDialog::getExistingDirectory(&m_window, tr("Open folder"),
                                                           folderHere(m_document.path()));
    if (!path.isEmpty())
        open(path);
}

void FileController::remember(const QString& path)
{
    m_preferences.addRecentFile(path);
    showRecent();
}

void FileController::showRecent()
{
    m_pages.start.setRecentFiles(m_preferences.recentFiles());
    m_recent->clear();
    for (const QString& path : m_preferences.recentFiles()) {
        const QString mnemonic = recentMnemonic(static_cast<int>(m_recent->actions().size()));
        QAction* action = m_recent->addAction(mnemonic + menuText(QFileInfo(path).fileName()), this,
                                              [this, path] { open(path); });
        action->setStatusTip(path);
        action->setData(path);
    }
    m_recent->setEnabled(!m_recent->isEmpty());
    m_recent->addSeparator();
    QAction* clear = m_recent->addAction(tr("&Clear list"), this, [this] {
        m_preferences.clearRecentFiles();
        showRecent();
    });
    clear->setStatusTip(tr("Clears the list of recent dumps."));
}

/// A file may be missed long after the list was shown.
void FileController::greyMissing(const QStringList& missing)
{
    for (QAction* action : m_recent->actions())
        if (const QString path = action->data().toString(); missing.contains(path)) {
            action->setEnabled(false);
            action->setStatusTip(tr("%1 no longer exists.").arg(path));
        }
}

bool FileController::takes(const QDropEvent& event)
{
    return !draggedFiles(*event.mimeData()).isEmpty();
}

void FileController::drop(QDropEvent& event)
{
    const QStringList files = draggedFiles(*event.mimeData());
    const bool isSecond = event.modifiers().testFlag(Qt::ShiftModifier) &&
                          m_document.dumpState() == Document::DumpState::Open;
    event.acceptProposedAction();
    if (files.size() == 1 && isSecond)
        return Q_EMIT secondDropped(files.front());
    if (files.size() == 1 && m_document.dumpState() == Document::DumpState::Open &&
        ImportController::takes(files.front()))
        return Q_EMIT scalesDropped(files.front());
    openTogether(files);
}

void FileController::sayOpening()
{
    m_pages.failure.say({}, tr("Opening %1...").arg(QFileInfo(m_document.path()).fileName()));
}

void FileController::sayFailed()
{
    m_pages.failure.say(tr("%1 could not be opened").arg(QFileInfo(m_document.path()).fileName()),
                        m_document.dumpProblem(), tr("Try again"), tr("Open another dump..."));
}

/// When the dump before it is there again, which clears the bar.
void FileController::sayNotOpened(const QString& path, const QString& problem)
{
    const auto say = [this, path, problem] {
        m_messages.say(tr("%1 could not be opened: %2").arg(QFileInfo(path).fileName(), problem),
                       // A session may have named it.
                       {{tr("Try &again"), [this, path] { m_dumps.open(path, {}); }},
                        {tr("Open a&nother dump..."), [this] { askForFile(); }}},
                       MessageBar::Kind::Problem);
    };
    if (m_document.dumpState() != Document::DumpState::Opening)
        return say();
    connect(&m_document, &Document::dumpChanged, this, say,
            static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
}

void FileController::watchShown()
{
    m_unreported.stop();
    m_hasReported = false;
    if (m_document.dumpState() == Document::DumpState::Open) {
        if (m_followed != m_document.path())
            setFollowing(false);
        m_watch.watch(m_document.path(), m_document.dump().identity);
        if (isGrowing() && !isFollowing())
            QMetaObject::invokeMethod(this, &FileController::sayGrowing, Qt::QueuedConnection);
        // Behind what else happens when the dump is open, which clears the bar.
        if (m_document.previews().isFrugal())
            QMetaObject::invokeMethod(this, &FileController::sayFrugal, Qt::QueuedConnection);
    } else if (m_document.dumpState() != Document::DumpState::Opening) {
        setFollowing(false);
        m_watch.watch({});
    }
}

void FileController::setFollowing(bool isFollowing)
{
    if (isFollowing == this->isFollowing())
        return;
    m_followed = isFollowing ? m_document.path() : QString();
    m_watch.setFollowed(isFollowing);
    m_isDue = isFollowing;  // it may have changed unnoticed
    m_hasGrown = isFollowing && isGrowing();
    if (isFollowing)
        m_messages.hide();
    showFollowing();
    Q_EMIT followingChanged();
    catchUpIfDue();
}

/// When what is shown has been read: a recording that is written faster than it is read would never
/// be shown.
void FileController::catchUpIfDue()
{
    if (!m_isDue || !isFollowing() || !m_document.isIdle())
        return;
    m_isDue = false;
    m_document.catchUp();
}

void FileController::takeCaughtUp(bool isRead)
{
    if (!isFollowing())
        return;
    if (!isRead) {  // its writer is in the middle of something
        m_isDue = true;
        constexpr int againMs = 1000;
        return QTimer::singleShot(againMs, this, &FileController::catchUpIfDue);
    }
    showFollowing();
    m_hasGrown = m_hasGrown || isGrowing();
    constexpr int lastWritesMs = 3000;  // of attributes, when all batches are there
    if (m_hasGrown && !isGrowing())
        QTimer::singleShot(lastWritesMs, this, &FileController::endIfComplete);
}

void FileController::endIfComplete()
{
    if (!isFollowing() || !m_hasGrown || isGrowing() || m_isDue)
        return;
    setFollowing(false);
    m_messages.say(tr("%1 is complete: its recorder has closed it.")
                       .arg(QFileInfo(m_document.path()).fileName()),
                   {}, MessageBar::Kind::Success);
}

bool FileController::isGrowing() const
{
    return m_document.dumpState() == Document::DumpState::Open &&
           m_document.dump().isGrowing.value_or(false);
}

void FileController::showFollowing()
{
    m_sessions.setTitleNote(isFollowing() ? followedText(m_document.tensors())
                            : isGrowing() ? tr("still being written")
                                          : QString());
}

/// The title keeps saying it when the bar is gone.
void FileController::sayChanged(bool isGone)
{
    setFollowing(false);
    const QString name = QFileInfo(m_document.path()).fileName();
    const QString sentence =
        isGone
            ? tr("%1 no longer exists. What was read remains available; nothing more can be read.")
                  .arg(name)
            : tr("%1 has changed on disk. The numbers shown are from before the change.").arg(name);
    m_sessions.setTitleNote(isGone ? tr("no longer exists") : tr("changed on disk"));
    m_messages.log().add(MessageLog::Kind::Warning, sentence);
    m_messages.say(sentence, {{tr("Re&load"), [this] { m_document.reload(); }},
                              {tr("&Follow"), [this] { setFollowing(true); }},
                              {tr("&Keep"), [] {}}});
}

void FileController::sayGrowing()
{
    if (isFollowing() || !isGrowing())
        return;
    m_messages.say(tr("%1 is still being written. What is shown is its beginning.")
                       .arg(QFileInfo(m_document.path()).fileName()),
                   {{tr("&Follow"), [this] { setFollowing(true); }}}, MessageBar::Kind::Note);
}

void FileController::sayFrugal()
{
    if (m_document.dumpState() != Document::DumpState::Open || !m_document.previews().isFrugal())
        return;
    const QString there =
        QString::fromStdString(shellQuoted(pathThere(m_document.path()).toStdString()));
    const QString command = QStringLiteral("calib profile %1 -o profile.h5").arg(there);
    m_messages.say(
        tr("%1 has %2 GB: of its tensors only those on screen are read. A profile, made "
           "on %3 with \"%4\", shows all of them without their values.")
            .arg(m_document.path().section(u'/', -1))
            .arg(m_document.dump().identity.bytes / 1'000'000'000)
            .arg(machineOf(m_document.path()), command),
        {{tr("&Copy command"), [command] { QApplication::clipboard()->setText(command); }}},
        MessageBar::Kind::Note);
}

}  // namespace calibscope
