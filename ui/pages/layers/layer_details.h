// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/layer_reader.h"
#include "ui/models/layer_model.h"
#include "ui/queries/query.h"

#include <QWidget>

#include <optional>

class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace calibscope {

class Document;
class LayerChannelsPlot;
class OperandsView;
class PlotView;
class StateNotice;

/// One layer closely: what each candidate on its operands would change, its error channel by
/// channel, and, for all layers, what equalizing channels would give. Asks for what is on screen.
class LayerDetails : public QWidget
{
    Q_OBJECT

public:
    explicit LayerDetails(Document& document, QWidget* parent = nullptr);

    enum class View { Candidates, Channels, Operands, Equalization };
    void setView(View view);

    /// The layer, as it is now; none: nothing is chosen.
    void show(const std::optional<LayerRow>& row);
    using QWidget::show;
    /// The dump, or how it is understood, is another: what was asked holds no longer.
    void forget();

    [[nodiscard]] PlotView* currentPlot() const;
    [[nodiscard]] QTableView& candidateTable() const { return *m_candidateTable; }
    [[nodiscard]] QTableView& equalizationTable() const { return *m_equalizationTable; }
    [[nodiscard]] LayerChannelsPlot& channels() const { return *m_channels; }
    [[nodiscard]] OperandsView& operands() const { return *m_operands; }
    [[nodiscard]] QPushButton& acceptButton() const { return *m_accept; }
    [[nodiscard]] QString sentence() const;
    [[nodiscard]] const StateNotice& notice() const { return *m_notice; }

Q_SIGNALS:
    void readoutChanged(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeCandidates();
    void ask();
    void askTrials();
    void askChannels();
    void askEqualizations();
    void forgetEqualizations();
    void refresh();
    void say(const QString& title, const QString& sentence);
    void showTrials();
    void acceptRow(const QModelIndex& index);
    void acceptBest();
    void accept(const std::optional<std::size_t>& input, const std::optional<std::size_t>& weight);

    Document& m_document;
    View m_view = View::Candidates;
    std::optional<LayerRow> m_row;
    TableModel<LayerCandidateRow> m_candidates;
    TableModel<Equalization> m_equalizations;

    Query<protocol::LayerTrialsRequest> m_trials;  ///< of the layer as it is
    Query<protocol::LayerRequest> m_perChannel;
    Query<protocol::EqualizationsRequest> m_equalized;

    QStackedWidget* m_stack;
    StateNotice* m_notice;
    QWidget* m_candidatePart = nullptr;
    QLabel* m_sentence = nullptr;
    QPushButton* m_accept = nullptr;
    QTableView* m_candidateTable = nullptr;
    LayerChannelsPlot* m_channels = nullptr;
    OperandsView* m_operands = nullptr;
    QTableView* m_equalizationTable = nullptr;
};

}  // namespace calibscope
