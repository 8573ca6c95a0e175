#pragma once

#include "core/recipes/recipe.h"
#include "ui/document/dump_tensors.h"
#include "ui/document/held_dump.h"
#include "ui/document/history.h"
#include "ui/document/matrix_reader.h"
#include "ui/document/outcome_rows.h"
#include "ui/document/workbench.h"
#include "ui/queries/background_reader.h"
#include "ui/queries/dump_requests.h"
#include "ui/queries/engine.h"
#include "ui/queries/explain_reader.h"
#include "ui/queries/first_batch.h"
#include "ui/queries/live_outcomes.h"
#include "ui/queries/strip_reader.h"
#include "ui/queries/tensor_questions.h"
#include "ui/queries/view_reader.h"

#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace calibscope {

/// What all parts of the window share: the open dump, the selected tensor, the chosen recipe, which
/// outcomes are drawn and how. Knows no widget.
class Session : public QObject
{
    Q_OBJECT

public:
    enum class DumpState { None, Opening, Open, Failed };

    using Display = PlotDisplay;

    /// `waited` answers what the user waits for, `background` all else. Both must outlive it.
    Session(Engine& waited, Engine& background, QObject* parent = nullptr);

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
    void close();
    /// The dump, open or not, as it is now, to go on with it later.
    [[nodiscard]] HeldDump held() const;
    /// Opens a dump that was left: selected tensor, decisions and steps are as they were. How
    /// things are shown and computed stays as it is.
    void resume(const HeldDump& held);
    [[nodiscard]] DumpState dumpState() const { return m_dumpState; }
    [[nodiscard]] const QString& path() const { return m_path; }
    [[nodiscard]] const QString& dumpProblem() const { return m_dumpProblem; }  ///< of Failed
    /// What was opened, without its tensors.
    [[nodiscard]] const protocol::DumpOpened& dump() const { return m_dump; }
    [[nodiscard]] bool allowsExternal() const { return m_allowsExternal; }

    /// The tensors as they are to be understood.
    [[nodiscard]] const std::vector<TensorInfo>& tensors() const { return m_tensors.all(); }
    [[nodiscard]] const DumpTensors& understood() const { return m_tensors; }
    /// Says how some tensors are to be understood; nothing said: as the file says.
    void understand(const std::vector<int>& tensors, const LayoutOverride& layoutOverride);
    /// What was guessed of these is right.
    void confirm(const std::vector<int>& tensors);

    /// Chooses a tensor, -1: none (the dump as a whole), and reads what is shown of it.
    void select(int tensor);
    [[nodiscard]] int selected() const { return m_selected; }
    [[nodiscard]] const TensorInfo* selectedTensor() const;  ///< nullptr without a selection
    /// To the tensors that were selected before, as in a browser.
    void goBack();
    void goForward();
    [[nodiscard]] bool canGoBack() const { return m_navigation.canGoBack(); }
    [[nodiscard]] bool canGoForward() const { return m_navigation.canGoForward(); }
    /// Shows one channel of the selected tensor, or its first batches, at least one; nothing: all.
    /// Another tensor is shown whole again.
    void chooseChannel(std::optional<std::uint64_t> channel);
    void showBatches(std::optional<std::uint64_t> batches);
    [[nodiscard]] const TensorPart& part() const { return m_part; }
    /// Asks where the values of the selected tensor's channels or batches lie; the latest question
    /// for each kind of rows wins. stripChanged() tells that it is answered.
    void requestStrip(const StripQuestion& question);
    /// The answer, or that it is being read, or why there is none.
    [[nodiscard]] StripReader::Found strip(const StripQuestion& question) const;
    /// Tensors that the user may want next; they are read in advance.
    void expect(const std::vector<int>& tensors);
    /// Tensors that are on screen: their previews are taken first.
    void lookAt(const std::vector<int>& tensors) { m_background.prefer(tensors); }

    /// The first batch of a large tensor, until all of it is read; else nullptr.
    [[nodiscard]] ViewReader::View firstBatch() const { return m_firstBatch.view(); }
    [[nodiscard]] const ViewReader& reader() const { return m_reader; }
    /// For what a page wants to know of a tensor beyond that.
    [[nodiscard]] TensorQuestions& questions() { return m_questions; }
    /// Where such questions go.
    [[nodiscard]] TensorRef addressOf(int tensor) const;
    /// Gives up what the user waits for: the reading of a tensor, or of a dump's list.
    void stopReading();
    void readAgain();
    /// Answers engineStalled: the user won't wait any longer.
    void restartEngine() { m_waited.restart(); }

    /// What the user decided about what is shown and computed.
    [[nodiscard]] const Workbench& workbench() const { return m_workbench; }
    /// One step that can be undone; `text` names it ("Log x axis"). An edit that changes nothing is
    /// no step. Successive changes with the same key that is not empty are one step. What is
    /// decided while no dump is open holds, but is no step.
    void change(const QString& text, const std::function<void(Workbench&)>& edit,
                const QString& mergeKey = {});
    /// The drag that made successive changes is over.
    void endMerge() { m_history.endMerge(); }
    void undo();
    void redo();
    [[nodiscard]] bool canUndo() const { return m_history.canUndo(); }
    [[nodiscard]] bool canRedo() const { return m_history.canRedo(); }
    [[nodiscard]] QString undoText() const { return m_history.undoText(); }
    [[nodiscard]] QString redoText() const { return m_history.redoText(); }

    void chooseRecipe(const QString& id);
    [[nodiscard]] const Recipe& chosenRecipe() const { return *m_recipe; }

    void setTicked(const std::string& label, bool isTicked);
    /// Sets the selected tensor's clip range manually, or its threshold: another row is there then.
    /// Under a symmetric scheme both ends go with the farther one. `isFinal` ends a drag.
    void setManualRange(const Range& range, bool isFinal);
    void setManualRange(double threshold, bool isFinal);
    void clearManualRange();
    [[nodiscard]] std::optional<Range> manualRange() const;  ///< of the selected tensor
    /// The manual range takes the scheme of the candidate of that label; empty: of the chosen
    /// recipe's.
    void setManualScheme(const std::string& label);
    /// Label of the candidate whose scheme the manual range takes on the selected tensor.
    [[nodiscard]] std::string manualScheme() const;

    /// Computes that in place of the candidate's own choice, on every tensor. Changes of the same
    /// label with the same gesture that is not empty are one step.
    void editChoice(const std::string& label, const Choice& choice, const QString& gesture = {});
    void resetChoice(const std::string& label);
    /// A further candidate on every tensor; returns its label. One that computes the same is ticked
    /// in its place.
    std::string addChoice(const Choice& choice);
    void removeAdded(const std::string& label);
    /// The selected tensor's candidates, with their outcomes when they are there.
    [[nodiscard]] std::vector<OutcomeRow> outcomeRows() const;
    /// The candidates of any tensor, without outcomes.
    [[nodiscard]] std::vector<OutcomeRow> rowsOfTensor(int tensor) const;
    /// What the chosen recipe does with that tensor, whatever was changed; nothing: it leaves it
    /// out.
    [[nodiscard]] std::optional<Choice> recipesChoice(int tensor) const;

    /// Computes candidates on all readable tensors that are not excluded, in the background: all of
    /// them, or those that are ticked. What is there already is not computed again.
    void startMatrix(bool tickedOnly);
    [[nodiscard]] MatrixReader& matrix() { return m_matrix; }
    [[nodiscard]] const MatrixReader& matrix() const { return m_matrix; }
    /// Why two candidates of the selected tensor differ, by their labels.
    void explain(const std::string& from, const std::string& to);
    [[nodiscard]] const ExplainReader& explanation() const { return m_explanation; }

    void setDisplay(const Display& display);
    [[nodiscard]] const Display& display() const { return m_workbench.display; }
    void setSecondary(Secondary secondary);
    void setQuantizedShown(bool isShown);
    /// What others are compared with, by label; empty: nothing.
    void setBaseline(const std::string& label);
    void setPinned(const std::vector<int>& tensors, bool isPinned);
    void setExcluded(const std::vector<int>& tensors, bool isExcluded);
    [[nodiscard]] bool isPinned(int tensor) const;
    [[nodiscard]] bool isExcluded(int tensor) const;
    /// The zoom of a page, for the selected tensor alone; `gesture` joins the changes of one drag.
    void setZoom(const QString& page, const Zoom& zoom, const QString& gesture = {});
    [[nodiscard]] Zoom zoom(const QString& page) const;

    /// The preview; nullptr until it was taken.
    [[nodiscard]] const protocol::Preview* preview(int tensor) const;
    [[nodiscard]] const std::map<int, protocol::Preview>& previews() const { return m_previews; }
    /// Tensors whose preview is still to be taken.
    [[nodiscard]] std::size_t previewsLeft() const { return m_background.previewsLeft(); }
    /// Nothing is being read and nothing waits for it.
    [[nodiscard]] bool isSettled() const;

Q_SIGNALS:
    void dumpChanged();
    /// These are understood otherwise than before. `sameValues`: what was read of them still holds.
    void tensorsChanged(const std::vector<int>& tensors, bool sameValues);
    void selectionChanged();
    void viewChanged();  ///< the reader's state
    void partChanged();
    void outcomesChanged();  ///< the rows, or what is known of them; not the view
    void stripChanged();
    void explanationChanged();
    void firstBatchRead();
    void progressed(double share);
    void previewTaken(int tensor, const calibscope::protocol::Preview& preview);
    void previewFailed(int tensor, const QString& sentence);
    void recipeChanged();  ///< the SQNR of all previews is of the former one
    void ticksChanged();
    void displayChanged();
    /// After the more particular signals above; undo and redo change all that differs.
    void workbenchChanged(const calibscope::Workbench& before);
    void historyChanged();  ///< what can be undone or redone
    void engineDied(const QString& sentence);
    void engineStalled(const QString& sentence);
    void settled();

private:
    void startOpening(const QString& path, const OpenOptions& options);
    void clear();
    void finishOpening(Answer<protocol::DumpOpened> answer);
    void setDumpState(DumpState state);
    void startPreviews();
    void takePreview(int tensor, protocol::Preview preview);
    void apply(Workbench wanted);
    void applySaid();
    void applyRecipe();
    void forgetDecisionsOnTensors();
    void say(const QString& text, const std::vector<int>& tensors, const TensorSaid& words);
    void readAnew(const std::vector<int>& tensors);
    [[nodiscard]] const TensorInfo& tensor(int index) const { return m_tensors.at(index); }
    [[nodiscard]] std::vector<Candidate> candidatesOf(int tensor) const;
    [[nodiscard]] std::vector<Candidate> requestesOf(int tensor) const;
    void show();
    void showPart(const TensorPart& part);
    void visit(const std::optional<std::string>& path);
    void wantOutcomes();
    void rememberOutcomes();
    [[nodiscard]] MatrixReader::Question matrixQuestion(int tensor) const;
    void dropFromMatrix(const Workbench& before);
    void followReader();
    void goTo(std::optional<Workbench> wanted);
    void showWhatChanged(const Workbench& before);
    void shareExactSqnr();
    void previewAgain();
    [[nodiscard]] std::optional<double> sqnrUnderRecipe(int tensor,
                                                        const protocol::TensorView& view) const;
    void tellIfSettled();

    Engine& m_waited;
    ViewReader m_reader;
    TensorQuestions m_questions;
    BackgroundReader m_background;
    FirstBatch m_firstBatch;
    LiveOutcomes m_live;
    StripReader m_strips;
    MatrixReader m_matrix;
    bool m_isMatrixTickedOnly = false;
    ExplainReader m_explanation;

    DumpState m_dumpState = DumpState::None;
    QString m_path;
    bool m_allowsExternal = false;
    QString m_dumpProblem;
    quint64 m_opening = 0;        ///< request at work; 0: none
    protocol::DumpOpened m_dump;  ///< without its tensors
    DumpTensors m_tensors;
    std::string m_selectNext;  ///< name or path of the tensor to select when the
                               ///< dump is open
    std::optional<Consumers> m_consumers;
    std::map<int, protocol::Preview> m_previews;  ///< by tensor, under the chosen recipe

    std::set<int> m_failedPreviews;

    int m_selected = -1;
    TensorPart m_part;
    Navigation m_navigation;
    std::vector<Candidate> m_candidates;  ///< of the selected tensor, as they are listed
    /// By label, shown while others are pending.
    std::map<std::string, SharedOutcome> m_lastOutcomes;
    const Recipe* m_recipe;
    Workbench m_workbench;
    History m_history;
};

}  // namespace calibscope
