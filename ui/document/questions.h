// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/document/layer_reader.h"
#include "ui/document/matrix_reader.h"
#include "ui/document/outcome_rows.h"
#include "ui/queries/explain_rows.h"
#include "ui/queries/live_outcomes.h"
#include "ui/queries/query.h"
#include "ui/queries/ratio_reader.h"
#include "ui/queries/study_reader.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace calibscope {

/// What is asked of the engine about a document's tensors, and what came of it: what is shown of
/// the selected one, its outcomes, and the matrix of all candidates on all tensors.
class Questions : public QObject
{
    Q_OBJECT

public:
    struct Engines
    {
        Engine& waited;
        Engine& background;
        Engine& pictures;
    };
    Questions(Document& document, const Engines& engines, QObject* parent = nullptr);
    ~Questions() override;

    /// Shows one channel of the selected tensor, or its first batches, at least one; nothing: all.
    /// Another tensor is shown whole again.
    void chooseChannel(std::optional<std::uint64_t> channel);
    void showBatches(std::optional<std::uint64_t> batches);
    [[nodiscard]] const TensorPart& part() const { return m_part; }
    [[nodiscard]] const ViewQuery& reader() const { return m_reader; }
    /// The first batch of a large tensor, until all of it is read; else nullptr.
    [[nodiscard]] ViewQuery::Shared firstBatch() const { return m_firstBatch.shared(); }
    /// Gives up what the user waits for: the reading of a tensor, or of a dump's list.
    void stopReading();
    void readAgain();
    /// Tensors that the user may want next; they are read in advance.
    void expect(const std::vector<int>& tensors);
    /// Answers engineStalled: the user won't wait any longer.
    void restartEngine() { m_waited.restart(); }

    /// The selected tensor's candidates, with their outcomes when they are there. Made anew when
    /// something of it changed: valid until the next change.
    [[nodiscard]] const std::vector<OutcomeRow>& rows() const;

    /// Asks where the values of the selected tensor's channels or batches lie; the latest question
    /// for each kind of rows wins. stripChanged() reports the answer. The request needs no tensor.
    void requestStrip(const protocol::StripRequest& request);
    [[nodiscard]] StripQuery::Found strip(const protocol::StripRequest& request) const;
    /// Whether its samples are enough for these choices, as far as it is not known.
    void requestStudies(const std::vector<Choice>& choices);
    [[nodiscard]] StudyReader::Found study(const Choice& choice) const;
    /// What is known of that tensor under what was accepted for it, else under the chosen recipe's
    /// choice; nullptr: nothing.
    [[nodiscard]] const SampleStudy* studyOf(int tensor) const;
    /// Signal to noise of the selected tensor against the threshold, estimated; nullptr until it is
    /// computed. The latest request wins; sqnrLineFound() tells.
    void requestSqnrLine(const Scheme& scheme);
    [[nodiscard]] const ThresholdRatio* sqnrLine(const Scheme& scheme) const;
    /// Why two candidates of the selected tensor differ, by their ids.
    void explain(const std::string& from, const std::string& to);
    [[nodiscard]] const ViewQuery& explanation() const { return m_explanation; }
    /// The steps between them, there at once; their outcomes when the explanation is Ready.
    [[nodiscard]] const std::vector<ExplainRow>& explainRows() const { return m_explainRows; }
    /// For what a page wants to know of a tensor beyond that.
    [[nodiscard]] TensorQuestions& ofPages() { return m_ofPages; }
    /// The same for what takes long: the user goes on meanwhile.
    [[nodiscard]] TensorQuestions& inBackground() { return m_inBackground; }
    /// The same for pictures of tensors, which are there while other questions are at work.
    [[nodiscard]] TensorQuestions& ofPictures() { return m_ofPictures; }

    /// Computes candidates on all readable tensors that are not excluded, in the background: all of
    /// them, or those that are ticked. What is there already is not computed again.
    void startMatrix(bool tickedOnly);
    /// As it was started, of ticked candidates alone; nothing: it was not, or was stopped.
    [[nodiscard]] std::optional<bool> sweep() const
    {
        return m_matrix.total() > 0 ? std::optional(m_isMatrixTickedOnly) : std::nullopt;
    }
    [[nodiscard]] MatrixReader& matrix() { return m_matrix; }
    [[nodiscard]] const MatrixReader& matrix() const { return m_matrix; }

    /// Costs of quantizing at the output of each layer.
    [[nodiscard]] LayerReader& layers() { return m_layers; }
    [[nodiscard]] const LayerReader& layers() const { return m_layers; }

    /// Reads what is shown of the selected tensor from its file, which holds more than before, for
    /// when the document takes the change up. `then` hears whether it could be read.
    void readGrown(std::function<void(bool isRead)> then);

    /// Nothing of this is being read.
    [[nodiscard]] bool isIdle() const;

Q_SIGNALS:
    void viewChanged();  ///< the reader's state
    void partChanged();
    void stripChanged();
    void studiesChanged();
    void sqnrLineFound();
    void explanationChanged();
    void firstBatchRead();
    void progressed(double share);
    void engineDied(const QString& sentence);
    void engineStalled(const QString& sentence);
    void ended();  ///< something that was asked: it was answered, or is not wanted any more

private:
    void followDocument();
    void clear();
    void turnToSelected();
    void closeMissingCard();
    void takeGrown();
    void show();
    void forgetRows() { m_rows.reset(); }
    [[nodiscard]] bool isDecidedOtherwise(const Workbench& before) const;
    void follow(const Workbench& before);

    [[nodiscard]] std::vector<OutcomeRow> rowsWithOutcomes() const;
    void followReader();
    [[nodiscard]] protocol::StripRequest ofSelected(protocol::StripRequest request) const;
    void showPart(const TensorPart& part);
    void requestOutcomes();
    void rememberOutcomes();
    [[nodiscard]] std::vector<Candidate> requestedOf(int tensor) const;
    [[nodiscard]] std::vector<OutcomeRow> plainRows() const;
    [[nodiscard]] MatrixReader::Question matrixQuestion(int tensor) const;
    void dropFromMatrix(const Workbench& before);

    Document& m_document;
    Engine& m_waited;
    TensorQuestions m_ofPages;
    TensorQuestions m_inBackground;
    TensorQuestions m_ofPictures;
    ViewQuery m_reader;
    ViewQuery m_firstBatch;
    EngineRequest m_growing;
    std::optional<std::pair<protocol::ViewRequest, protocol::TensorView>> m_grown;
    LiveOutcomes m_live;
    StripQuery m_batchStrips;
    StripQuery m_channelStrips;
    StudyReader m_studies;
    RatioReader m_ratios;
    MatrixReader m_matrix;
    bool m_isMatrixTickedOnly = false;
    LayerReader m_layers;
    ViewQuery m_explanation;
    std::vector<ExplainRow> m_explainRows;

    int m_tensor = -1;  ///< the selected one
    bool m_isOtherTensor = false;
    TensorPart m_part;
    std::vector<Candidate> m_candidates;  ///< of the selected tensor, as they are listed
    /// By candidate, shown while others are pending.
    std::map<std::string, SharedOutcome> m_lastOutcomes;
    mutable std::optional<std::vector<OutcomeRow>> m_rows;  ///< nothing: something changed since
};

}  // namespace calibscope
