// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file_identity.h"
#include "ui/document/document.h"
#include "ui/document/held_dump.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

namespace calibscope {

/// What of a file is another than before, as the end of a sentence: "size from 1,234 to 2,345
/// bytes, header". Empty: nothing, or it is not known how the file was.
[[nodiscard]] QString identityChanges(const FileIdentity& was, const FileIdentity& is);

/// The dumps of a window, in the order of opening. One of them is shown: what is kept of it is from
/// when it was last left.
class OpenDumps
{
public:
    [[nodiscard]] const std::vector<HeldDump>& all() const { return m_all; }
    [[nodiscard]] std::optional<std::size_t> shown() const { return m_shown; }
    [[nodiscard]] std::optional<std::size_t> placeOf(const QString& path) const;
    /// The index after the shown one, or before it for a negative step, round and round; nothing
    /// where there is no other.
    [[nodiscard]] std::optional<std::size_t> neighbour(int step) const;

    /// Shows that dump: a further one, or the one of the same path as it was left.
    void show(const HeldDump& dump);
    void show(std::size_t place) { m_shown = place; }
    /// The shown one is now like this.
    void keepShown(const HeldDump& dump);
    /// The shown one goes; the one after it, else the one before it, is shown.
    void removeShown();
    void clear();

private:
    std::vector<HeldDump> m_all;
    std::optional<std::size_t> m_shown;
};

/// Opens, shows and closes the dumps of a window. Its document is of the one that is shown; what
/// was decided on the others is kept for when they are shown again.
class WindowDumps : public QObject
{
    Q_OBJECT

public:
    /// `document` must outlive it.
    explicit WindowDumps(Document& document, QObject* parent = nullptr);

    /// Shows a dump: a further one, or an open one as it was left.
    void open(const QString& path, const Document::OpenOptions& options);
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
    /// A dump could not be opened, and the one before it is about to be shown again.
    [[nodiscard]] bool isGoingBack() const { return m_isGoingBack; }

Q_SIGNALS:
    /// Which there are, or which one is shown.
    void changed();
    /// The dump that was just opened is another than when something was decided on it; `changes`
    /// as in identityChanges(). It may merely have grown: it was being recorded then.
    void changedSince(const QString& changes, bool hasGrown);
    /// A file that was not a dump; the one shown before is shown again.
    void couldNotOpen(const QString& path, const QString& problem);

private:
    void keepShown();
    void leaveShown();
    void resume(std::size_t place);
    void followDocument();
    [[nodiscard]] bool goesBack() const;
    void goBack();

    Document& m_document;
    OpenDumps m_dumps;
    std::optional<FileIdentity> m_expected;  ///< of the dump that is being opened
    bool m_expectsMore = false;              ///< it was being recorded
    QString m_before;  ///< path of the dump to go back to if that fails; empty: none
    bool m_isGoingBack = false;
};

}  // namespace calibscope
