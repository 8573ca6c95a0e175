#pragma once

#include "ui/document/open_dumps.h"
#include "ui/document/session.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace calibscope {

/// Opens, shows and closes the dumps of a window. Its session is of the one that is shown; what was
/// decided on the others is kept for when they are shown again.
class WindowDumps : public QObject
{
    Q_OBJECT

public:
    /// `session` must outlive it.
    explicit WindowDumps(Session& session, QObject* parent = nullptr);

    /// Shows a dump: a further one, or an open one as it was left.
    void open(const QString& path, const Session::OpenOptions& options);
    /// Shows a dump as it is given: a further one, or in place of what was kept of it.
    void openAs(const HeldDump& dump);
    /// Adds dumps behind the others without showing them.
    void add(const QStringList& paths);
    void show(std::size_t place);
    /// The next one, or the one before for a negative step.
    void step(int step);
    /// Closes the shown one and shows another, if there is one.
    void closeShown();
    /// These in place of all others.
    void replaceAll(std::vector<HeldDump> dumps, std::size_t shown);
    /// The shown dump is at another place now; what was decided on it stays.
    void relocateShown(const QString& path);

    /// All of them; the shown one as it was when it was last left.
    [[nodiscard]] const std::vector<HeldDump>& all() const { return m_dumps.all(); }
    /// One of them; the shown one as it is now. Nothing: it is not open.
    [[nodiscard]] std::optional<HeldDump> held(const QString& path) const;
    [[nodiscard]] std::size_t count() const { return m_dumps.all().size(); }
    [[nodiscard]] std::optional<std::size_t> shown() const { return m_dumps.shown(); }
    [[nodiscard]] QString pathOf(std::size_t place) const { return m_dumps.all()[place].path; }

Q_SIGNALS:
    /// Which there are, or which one is shown.
    void changed();
    /// The dump that was just opened is another than when something was decided on it; `changes`
    /// as in identityChanges().
    void changedSince(const QString& changes);

private:
    void keepShown();
    void leaveShown();
    void resume(std::size_t place);
    void followSession();

    Session& m_session;
    OpenDumps m_dumps;
    std::optional<FileIdentity> m_expected;  ///< of the dump that is being opened
};

}  // namespace calibscope
