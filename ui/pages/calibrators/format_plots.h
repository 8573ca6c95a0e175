// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/block_format.h"
#include "core/formats/format_map.h"
#include "ui/models/format_marks.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>

class QComboBox;
class QPushButton;
class QStackedWidget;

namespace calibscope {

class ElidedLabel;
class PlotView;
class RatePlot;
class Segments;
class SlicePlot;

/// A tensor under number formats as plots, one at a time: all formats as a curve; of the chosen one
/// scales, blocks and levels.
class FormatPlots : public QWidget
{
    Q_OBJECT

public:
    enum class Plot { Curve, Scales, Blocks, Levels };

    explicit FormatPlots(QWidget* parent = nullptr);

    void showMap(const BlockFormat& format, std::shared_ptr<const FormatMap> map);
    /// Of the chosen format nothing is shown, and why.
    void clearMap(const QString& reason);
    /// The block that is looked at; nothing: none is.
    void setBlock(std::optional<std::uint64_t> block);
    void setLogCount(bool isLog);
    void choose(Plot plot);
    [[nodiscard]] Plot chosen() const;
    [[nodiscard]] PlotView& current() const;
    [[nodiscard]] RatePlot& curve() const { return *m_curve; }
    [[nodiscard]] BinsPlot& scales() const { return *m_scales; }
    [[nodiscard]] BinsPlot& maxima() const { return *m_maxima; }
    [[nodiscard]] BinsPlot& levels() const { return *m_levels; }
    [[nodiscard]] SlicePlot& blocks() const { return *m_blocks; }
    [[nodiscard]] QComboBox& measures() const { return *m_measures; }
    [[nodiscard]] QPushButton& ownMaximum() const { return *m_ownMaximum; }
    [[nodiscard]] QString facts() const;  ///< below the switch

Q_SIGNALS:
    void plotChosen();
    void blockChosen(quint64 block);
    /// By the user; nothing: the tensor's own.
    void maximumChosen(std::optional<double> maximum);
    void readoutChanged(const QString& text);

private:
    [[nodiscard]] QWidget* makeBar();
    void showPlot();
    void showMaxima(double maximum);
    void drawMaxima(BinsMark mark, BinsPlot::Zoom zoom);
    void showBlocks(bool isOther);
    void showFacts();
    void chooseCell(std::uint64_t row, std::uint64_t column);
    void moveBy(int rows, int columns);

    Segments* m_switch;
    QComboBox* m_measures;
    ElidedLabel* m_facts;
    QPushButton* m_ownMaximum;
    QStackedWidget* m_stack;
    RatePlot* m_curve;
    BinsPlot* m_scales;
    BinsPlot* m_maxima;
    SlicePlot* m_blocks;
    BinsPlot* m_levels;
    std::optional<BlockFormat> m_format;
    std::shared_ptr<const FormatMap> m_map;
    std::optional<double> m_maximum;  ///< as the handle stands
    std::optional<std::uint64_t> m_block;
};

}  // namespace calibscope
