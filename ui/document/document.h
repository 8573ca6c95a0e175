// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/graph/tensor_graph.h"
#include "core/recipes/recipe.h"
#include "ui/document/dump_tensors.h"
#include "ui/document/held_dump.h"
#include "ui/document/history.h"
#include "ui/document/workbench.h"
#include "ui/queries/dump_requests.h"
#include "ui/queries/engine_request.h"
#include "ui/theme/name_parts.h"

#include <QByteArray>
#include <QFlags>
#include <QObject>
#include <QString>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace calibscope {

class Previews;
class Questions;

/// One change of a document, told once, whatever it concerns: who listens asks for that.
struct DocumentChange
{
    enum Part {
        Recipe = 1,      ///< the SQNR of all previews is of the former one
        Ticks = 2,       ///< which candidates are drawn
        Display = 4,     ///< how plots are shown
        Outcomes = 8,    ///< the rows of outcomes, or what is known of them; not the view
        Workbench = 16,  ///< anything that the user decides, recipe, ticks and display among it
        Undoable = 32,   ///< what can be undone or redone
        Replayed = 64,   ///< a step was undone or redone
    };
    Q_DECLARE_FLAGS(Parts, Part)

    Parts parts;
    const calibscope::Workbench& before;  ///< what the user had decided; as now without Workbench

    /// Whether it concerns any of these.
    [[nodiscard]] bool concerns(Parts any) const { return (parts & any) != Parts(); }
};
Q_DECLARE_OPERATORS_FOR_FLAGS(DocumentChange::Parts)

/// Tensors are understood otherwise than before, or hold more than before.
enum class TensorValues {
    Same,   ///< what was read of them holds
    More,   ///< what was read is of their beginning
    Other,  ///< what was read is void
};

/// What all parts of the window share: the open dump, its tensors, the selected one, and what the
/// user decided, which can be undone. What is read of the dump is its questions' and previews'.
/// Knows no widget.
class Document : public QObject
{
    Q_OBJECT

public:
    enum class DumpState { None, Opening, Open, Failed };

    /// `waited` answers what the user waits for, `background` all else. Both must outlive it.
    Document(Engine& waited, Engine& background, QObject* parent = nullptr);
    /// `pictures` answers what is looked at of tensors while the others are at work.
    Document(Engine& waited, Engine& background, Engine& pictures, QObject* parent = nullptr);
    ~Document() override;

    struct OpenOptions
    {
        bool allowExternal = false;  ///< links and raw data in other files are followed
        QString tensor;              ///< name or path of the tensor to select; empty: none
    };
    void open(const QString& path, const OpenOptions& options);
    void open(const QString& path) { open(path, {}); }
    /// Reads the same file anew. What the user said of its tensors stays, and the selection.
    void reload();
    /// As reload(), and other files that it refers to are read.
    void reloadWithExternal();
    /// Reads the same file anew, which was written to: what is shown stays until there is something
    /// else, also where it can't be read; caughtUp() reports.
    void catchUp();
    void close();
    /// The dump, open or not, as it is now, to go on with it later.
    [[nodiscard]] HeldDump held() const;
    /// Opens a dump that was left: selected tensor, decisions and steps are as they were. How
    /// things are shown and computed stays as it is.
    void resume(const HeldDump& held);
    [[nodiscard]] DumpState dumpState() const { return m_dumpState; }
    [[nodiscard]] const QString& path() const { return m_path; }
    [[nodiscard]] const QString& dumpProblem() const { return m_dumpProblem; }  ///< of Failed
    /// The opened file, without its tensors.
    [[nodiscard]] const protocol::DumpOpened& dump() const { return m_dump; }
    /// Its writer has it open, or it was caught up with.
    [[nodiscard]] bool isRecording() const
    {
        return m_dump.isGrowing.value_or(false) || m_wasFollowed;
    }
    [[nodiscard]] bool allowsExternal() const { return m_allowsExternal; }

    /// The tensors as they are to be understood.
    [[nodiscard]] const std::vector<TensorInfo>& tensors() const { return m_tensors->all(); }
    [[nodiscard]] const DumpTensors& understood() const { return *m_tensors; }
    /// The same, for who goes on showing them until there is another dump.
    [[nodiscard]] std::shared_ptr<const DumpTensors> sharedTensors() const { return m_tensors; }
    /// Of the tensors of an open dump.
    [[nodiscard]] const Consumers& consumers() const { return *m_consumers; }
    /// The network as far as they state it.
    [[nodiscard]] const TensorGraph& graph() const;
    /// Of the selected tensor's name among all, see elidedName(); empty: nothing is selected, or of
    /// too many.
    [[nodiscard]] QByteArray neededParts() const;
    /// Tensors next to one in that graph: of an activation those that its op takes, weights last,
    /// and those whose ops take it; of a weight the latter. None for -1.
    struct Neighbours
    {
        std::vector<int> takes;
        std::vector<int> takenBy;
    };
    [[nodiscard]] Neighbours neighboursOf(int tensor) const;
    /// Where questions about a tensor go.
    [[nodiscard]] TensorRef addressOf(int tensor) const;
    /// A dump was opened, this one or one to compare with. Engines other than the one that opened
    /// it hold to the state that they read before until they are asked to open it, too.
    void noteOpened(const std::string& path, bool allowsExternal);

    /// Chooses a tensor, -1: none (the dump as a whole), and reads what is shown of it.
    void select(int tensor);
    [[nodiscard]] int selected() const { return m_selected; }
    [[nodiscard]] const TensorInfo* selectedTensor() const;  ///< nullptr without a selection
    /// To the tensors that were selected before, as in a browser.
    void goBack();
    void goForward();
    [[nodiscard]] const Navigation& navigation() const { return m_navigation; }

    /// The user's decisions on display and computation.
    [[nodiscard]] const Workbench& workbench() const { return m_workbench; }
    /// One step that can be undone; `text` names it ("Log x axis"). An edit that changes nothing is
    /// no step. Successive changes with the same key that is not empty are one step. What is
    /// decided while no dump is open holds, but is not a step.
    void change(const QString& text, const std::function<void(Workbench&)>& edit,
                const QString& mergeKey = {});
    /// Keeps what was measured: no step, and Undo leaves it.
    void keepGains(const MeasuredGains& gains);
    /// The drag that made successive changes is over.
    void endMerge() { m_history.endMerge(); }
    /// Outcomes of the selected tensor have changed: reported with the change under way, else as
    /// one of its own.
    void reportOutcomes();
    void undo();
    void redo();
    /// To where so many of history().steps() are done.
    void goToStep(std::size_t done);
    [[nodiscard]] const History& history() const { return m_history; }
    [[nodiscard]] const Recipe& chosenRecipe() const { return *m_recipe; }

    /// Queries on the selected tensor, and on all in comparison.
    [[nodiscard]] Questions& questions() const { return *m_questions; }
    /// Previews of each tensor for the list.
    [[nodiscard]] Previews& previews() const { return *m_previews; }
    /// Nothing is being read and nothing waits for it.
    [[nodiscard]] bool isIdle() const;

Q_SIGNALS:
    /// The dump is closed or another one is to be opened; before dumpChanged().
    void dumpLeft();
    void dumpChanged();
    void dumpOpened();  ///< after dumpChanged() and the first selection
    /// These are understood otherwise than before, or hold more.
    void tensorsChanged(const std::vector<int>& tensors, calibscope::TensorValues values);
    void caughtUp(bool isRead);  ///< false: it could not be read, and all is as it was
    void selectionChanged();
    void selectionReported();  ///< after selectionChanged(), also for the same tensor
    /// A change that changed() is to report, for queries that may widen it by reportOutcomes().
    void changing(const calibscope::DocumentChange& change);
    /// The user's decisions, or their results; undo and redo change all that differs.
    void changed(const calibscope::DocumentChange& change);
    void idle();

private:
    void startOpening(const QString& path, const OpenOptions& options);
    [[nodiscard]] protocol::OpenRequest openRequest() const;
    void clear();
    void finishOpening(Answer<protocol::DumpOpened> answer);
    void showOpened(protocol::DumpOpened opened);
    void reopenAt(std::size_t other, const std::function<void(bool isOpen)>& then);
    void takeNow(protocol::DumpOpened now, bool isRead);
    void takeGrown(protocol::DumpOpened grown);
    void takeOther(protocol::DumpOpened other);
    void finishCatchingUp(bool isRead);
    [[nodiscard]] bool isGrownFrom(const protocol::DumpOpened& now) const;
    void setDumpState(DumpState state);
    void apply(Workbench wanted, DocumentChange::Parts parts);
    void applySaid();
    void forgetDecisionsOnTensors();
    void readAnew(const std::vector<int>& tensors, TensorValues values);
    [[nodiscard]] const TensorInfo& tensor(int index) const { return m_tensors->at(index); }
    void visit(const std::optional<std::string>& path);
    void goTo(std::optional<Workbench> wanted);
    void showWhatChanged(const Workbench& before);
    void tellIfIdle();

    Engine& m_waited;
    std::vector<Engine*> m_others;
    std::set<std::pair<std::string, bool>> m_opened;  ///< ever, with other files allowed or not

    DumpState m_dumpState = DumpState::None;
    QString m_path;
    bool m_allowsExternal = false;
    QString m_dumpProblem;
    EngineRequest m_opening;
    bool m_isCatchingUp = false;
    bool m_wasFollowed = false;   ///< by catchUp()
    int m_failedReads = 0;        ///< of what grew, one after the other
    protocol::DumpOpened m_dump;  ///< without its tensors
    /// Never null; another object for each dump that is opened.
    std::shared_ptr<DumpTensors> m_tensors = std::make_shared<DumpTensors>();
    std::string m_selectNext;  ///< name or path of the tensor to select when the dump is open
    std::optional<bool> m_sweepNext;  ///< of HeldDump, to run when the dump is open
    std::optional<Consumers> m_consumers;
    mutable std::optional<TensorGraph> m_graph;  ///< nothing: nobody has asked for it
    mutable std::optional<NameParts> m_parts;    ///< likewise, of their names

    int m_selected = -1;
    Navigation m_navigation;
    const Recipe* m_recipe;
    Workbench m_workbench;
    bool m_isApplying = false;       ///< a change is under way, and tells of outcomes too
    DocumentChange::Parts m_during;  ///< what else it came to concern meanwhile
    History m_history;

    std::unique_ptr<Previews> m_previews;
    std::unique_ptr<Questions> m_questions;
};

}  // namespace calibscope
