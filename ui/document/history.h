// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/workbench.h"

#include <QString>
#include <QStringList>

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace calibscope {

/// The tensors that were looked at, by path, as a browser keeps pages: going
/// somewhere forgets what lay ahead.
class Navigation
{
public:
    /// Empty: the dump as a whole. Where one already is, nothing changes.
    void visit(const std::string& path);
    void clear();

    [[nodiscard]] bool canGoBack() const { return m_here > 0; }
    [[nodiscard]] bool canGoForward() const { return m_here + 1 < m_visited.size(); }
    /// Where that leads, which is where one is afterwards; nothing if there is no
    /// such place.
    [[nodiscard]] std::optional<std::string> back();
    [[nodiscard]] std::optional<std::string> forward();

private:
    static constexpr std::size_t mostVisited = 200;

    std::vector<std::string> m_visited;
    std::size_t m_here = 0;  ///< index in it; 0 while it is empty
};

/// The steps by which a workbench became what it is, and those that were undone. The oldest steps
/// are forgotten beyond `mostSteps`.
class History
{
public:
    static constexpr std::size_t mostSteps = 300;

    /// A change that was just made; what was undone can't be redone afterwards. With a merge key
    /// that is not empty it continues the last step if that has the same key and nothing came
    /// between; a step that ends where it began is dropped.
    void record(const QString& text, const QString& mergeKey, const Workbench& before,
                const Workbench& after);
    /// The next change is a step of its own, whatever its key: the drag is over.
    void endMerge() { m_isOpen = false; }
    void clear();
    /// What all dumps share was decided otherwise meanwhile: it stays as in `shared`, whatever is
    /// undone or redone. Steps that did nothing else are forgotten.
    void takeShared(const Workbench& shared);

    [[nodiscard]] bool canUndo() const { return !m_done.empty(); }
    [[nodiscard]] bool canRedo() const { return !m_undone.empty(); }
    /// The step's recorded text; empty if there is none.
    [[nodiscard]] QString undoText() const;
    [[nodiscard]] QString redoText() const;

    /// What was there before the last step. Requires canUndo().
    [[nodiscard]] const Workbench& beforeLast() const { return m_done.back().before; }
    /// Texts of all steps, the oldest first: those that are done, behind them those that were
    /// undone.
    [[nodiscard]] QStringList steps() const;
    [[nodiscard]] std::size_t doneCount() const { return m_done.size(); }

    /// The workbench before the last step, or after the step that was last undone; nothing if there
    /// is no such step.
    [[nodiscard]] std::optional<Workbench> undo();
    [[nodiscard]] std::optional<Workbench> redo();
    /// Undoes or redoes until so many of steps() are done; the workbench there. Nothing if it is so
    /// already, or if there are not so many.
    [[nodiscard]] std::optional<Workbench> goTo(std::size_t done);

private:
    struct Step
    {
        QString text;
        QString mergeKey;
        Workbench before;
        Workbench after;
    };

    std::deque<Step> m_done;     ///< the last one is undone first
    std::vector<Step> m_undone;  ///< the last one is redone first
    bool m_isOpen = false;       ///< the last step may be continued
};

}  // namespace calibscope
