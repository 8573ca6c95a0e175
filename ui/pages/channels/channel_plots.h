// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/histogram.h"
#include "core/stats/strip.h"
#include "ui/charts/heat_content.h"
#include "ui/charts/histogram_content.h"
#include "ui/charts/scale_rows_content.h"
#include "ui/plot/plot_view.h"
#include "ui/queries/channels_reader.h"
#include "ui/widgets/plot_splitter.h"

#include <QString>

#include <functional>
#include <map>
#include <optional>
#include <vector>

class QStackedWidget;

namespace calibscope {

/// Histograms in the same bins over a range that holds all of them, so that their counts can be
/// told against each other: as they are if they share their bins, else in `bins` equal ones, where
/// what a finer bin holds goes to the bin of its centre. One without a width (one value) is all in
/// one bin. Requires one domain, and equal bins each.
[[nodiscard]] std::vector<Histogram> inEqualBins(std::vector<Histogram> histograms,
                                                 std::size_t bins);

/// Bins in which the outlines of histograms that count so few values can be distinguished: a power of
/// 2 from 32 to 256, so that 2048 bins over the whole range come out exact.
[[nodiscard]] std::size_t binsToOutline(const std::vector<Histogram>& histograms);

/// The plots of the Channels page: scales by channel, under them where each channel's values lie,
/// and the histogram of the channel under the pointer or of those that are chosen.
class ChannelPlots : public PlotSplitter
{
    Q_OBJECT

public:
    explicit ChannelPlots(QWidget* parent = nullptr);

    void setScales(ScaleRowsMark mark);
    void clearScales(const QString& reason);
    /// In the order of the scales; nullptr: `problem` tells why there is none, and the scales have
    /// the numbers of the channels. Empty: it is on its way.
    void setStrip(const Strip* strip, Domain domain, const QString& problem);
    void setTensorClip(std::optional<Range> clip);
    /// The first of them are drawn; `isFarthestFirst`: they are stated to be the farthest ones.
    void setChosen(const std::vector<std::size_t>& channels, bool isFarthestFirst);
    /// Shown while no other is; nothing: a sentence is.
    void setUsual(std::optional<std::size_t> channel);
    /// Under the pointer; nothing: the chosen ones are shown again.
    void setHovered(std::optional<std::size_t> channel);
    /// A channel's histogram in full, in place of its row of the strip.
    void setHistogram(std::size_t channel, const Histogram& histogram);
    /// Clip ranges over the histogram of that channel; nothing: none.
    using Marks = std::function<std::vector<ThresholdMark>(std::size_t channel)>;
    void setMarks(Marks marks);
    void setCountAxis(CountAxis axis);

    [[nodiscard]] const std::vector<std::size_t>& shownChannels() const;
    /// Those of the shown channels whose histograms are drawn.
    [[nodiscard]] std::vector<std::size_t> drawnChannels() const;
    [[nodiscard]] PlotView* currentPlot() const;  ///< the one that has or had the focus
    [[nodiscard]] const ContentPlot<ScaleRowsContent>& scalesPlot() const { return *m_scales; }
    [[nodiscard]] const ContentPlot<ChannelHeatContent>& heatPlot() const { return *m_heat; }
    [[nodiscard]] const HistogramPlot& histogramPlot() const { return *m_histogram; }
    [[nodiscard]] const ContentPlot<ChannelOutlinesContent>& outlinesPlot() const
    {
        return *m_outlines;
    }
    void setColors();  ///< those of the palette

Q_SIGNALS:
    void hovered(std::optional<std::size_t> channel);
    /// A click on a channel; `isAdded`: beside those that are chosen already.
    void clicked(std::size_t channel, bool isAdded);
    void readoutChanged(const QString& text);

private:
    void connectPlot(PlotView& plot);
    [[nodiscard]] const Histogram* fullHistogramOf(std::size_t channel) const;
    [[nodiscard]] std::optional<Histogram> stripHistogramOf(std::size_t channel) const;
    [[nodiscard]] std::vector<Histogram> drawnHistograms() const;
    void showHistograms();
    void showOne(std::size_t channel);
    void showSeveral();
    [[nodiscard]] QColor colorOf(std::size_t place) const;
    [[nodiscard]] std::vector<ChosenChannel> chosenMarks() const;

    ContentPlot<ScaleRowsContent>* m_scales;
    ContentPlot<ChannelHeatContent>* m_heat;
    QStackedWidget* m_stack;
    HistogramPlot* m_histogram;
    ContentPlot<ChannelOutlinesContent>* m_outlines;

    std::vector<std::size_t> m_order;
    QString m_xTitle;
    std::optional<Strip> m_strip;
    QString m_problem;  ///< why there is none
    Domain m_domain = Domain::Magnitude;
    std::vector<std::size_t> m_chosen;
    bool m_isFarthestFirst = false;
    std::vector<std::size_t> m_hovered;       ///< one or none
    std::vector<std::size_t> m_usual;         ///< one or none
    std::map<std::size_t, Histogram> m_full;  ///< of channels that are or were shown
    Marks m_marks;
    std::optional<std::size_t> m_shownOne;  ///< channel whose histogram is shown alone
};

}  // namespace calibscope
