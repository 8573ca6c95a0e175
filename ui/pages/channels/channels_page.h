// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/marks.h"
#include "ui/document/document.h"
#include "ui/models/channel_model.h"
#include "ui/queries/channels_reader.h"
#include "ui/widgets/workspace_page.h"

#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

namespace calibscope {

class ChannelControls;
class ChannelPlots;
class ChannelSide;
class TensorTitle;
class LayoutOverrideEditor;

/// The selected tensor channel by channel: its scales by two calibrators, where each channel's
/// values lie, which channels are odd, and what a scale per channel gains. Reads only while it is
/// on screen.
class ChannelsPage : public WorkspacePage
{
    Q_OBJECT

public:
    explicit ChannelsPage(Document& document, QWidget* parent = nullptr);

    [[nodiscard]] PlotView* currentPlot() const override;
    void editLayoutOverride();
    /// As soon as it is known which channels they are.
    void chooseOutliers();
    /// As the user does: a step that can be undone.
    void chooseCalibrators(const std::array<std::string, 2>& ids);
    void chooseOrder(ChannelOrder order);
    [[nodiscard]] const ChannelPlots& plots() const { return *m_plots; }
    [[nodiscard]] const ChannelSide& side() const { return *m_side; }
    [[nodiscard]] ChannelControls& controls() const { return *m_controls; }
    [[nodiscard]] const std::vector<std::size_t>& chosenChannels() const { return m_chosen; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void recolor() override;

private:
    [[nodiscard]] QWidget* makeBody();
    void connectDocument();
    void ask();
    [[nodiscard]] std::optional<Choice> choiceOf(const std::string& calibrator) const;
    void showScales();
    void showStrip();
    void showGains();
    void choose(std::vector<std::size_t> channels, bool isFarthestFirst = false);
    void setChosen(std::vector<std::size_t> channels, bool isFarthestFirst = false);
    void followPart();
    void hover(std::optional<std::size_t> channel);
    [[nodiscard]] std::vector<ThresholdMark> marksOf(std::size_t channel) const;
    void lookClosely();

    Document& m_document;
    ChannelsReader m_reader;
    TensorTitle* m_title;
    LayoutOverrideEditor* m_editor;
    ChannelControls* m_controls = nullptr;
    ChannelPlots* m_plots = nullptr;
    ChannelSide* m_side = nullptr;
    QTimer m_rest;  ///< how long the pointer stays before a channel is read in full

    int m_tensor = -1;  ///< whose channels are chosen
    std::shared_ptr<const ChannelFacts> m_channelFacts = std::make_shared<const ChannelFacts>();
    std::vector<std::size_t> m_chosen;
    std::optional<std::size_t> m_hovered;
    bool m_wantsOutliers = false;  ///< to be chosen when the scales are there
};

}  // namespace calibscope
