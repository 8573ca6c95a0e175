// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/layer_messages.h"
#include "ui/document/layer_reader.h"
#include "ui/queries/query.h"

#include <QWidget>

#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QLabel;

namespace calibscope {

class Document;
class OperandChannelsPlot;
class PlotView;
class RatePlot;

/// One layer under number formats of its weight, SmoothQuant's and AWQ's factors, and AWQ's clip:
/// the output's SQNR as a curve, and both operands' channels with the chosen factors.
class OperandsView : public QWidget
{
    Q_OBJECT

public:
    explicit OperandsView(Document& document, QWidget* parent = nullptr);

    /// None, or one that can be computed.
    void showLayer(const std::optional<LayerRow>& row);
    /// Values, or their interpretation, are others.
    void forget();

    [[nodiscard]] QComboBox& analysis() const { return *m_analysis; }
    [[nodiscard]] QComboBox& format() const { return *m_format; }
    [[nodiscard]] RatePlot& curve() const { return *m_curve; }
    [[nodiscard]] OperandChannelsPlot& channels() const { return *m_channels; }
    [[nodiscard]] QString sentence() const;
    /// The one with the keys.
    [[nodiscard]] PlotView* currentPlot() const;

Q_SIGNALS:
    void readoutChanged(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fillFormats();
    void ask();
    void showTrials();
    void choose(std::size_t mark);
    [[nodiscard]] QString sentenceOf(const OperandTrials& found) const;

    Document& m_document;
    Query<protocol::OperandTrialsRequest> m_trials;
    QComboBox* m_analysis;
    QComboBox* m_format;
    QLabel* m_sentence;
    RatePlot* m_curve;
    OperandChannelsPlot* m_channels;
    std::optional<LayerRow> m_row;
    std::vector<std::size_t> m_marked;  ///< trials that the curve shows
};

}  // namespace calibscope
