// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/channels/channels_page.h"

#include "core/recipes/make_choice.h"
#include "ui/document/questions.h"
#include "ui/document/tensor_text.h"
#include "ui/pages/channels/channel_controls.h"
#include "ui/pages/channels/channel_marks.h"
#include "ui/pages/channels/channel_plots.h"
#include "ui/pages/channels/channel_side.h"
#include "ui/panels/layout_override_editor.h"
#include "ui/panels/tensor_header.h"
#include "ui/plot/number_label.h"
#include "ui/widgets/plot_splitter.h"
#include "ui/widgets/state_notice.h"

#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace calibscope {

namespace {

constexpr int restMs = 120;
constexpr std::array halfShares = {8, 5};  // plots, side

QString factsOf(const TensorInfo& tensor)
{
    QStringList facts;
    if (!tensor.op.empty())
        facts += QString::fromStdString(tensor.op);
    facts += shapeLabel(tensor);
    if (tensor.channelAxis)
        facts += countText(tensor.channelCount(), ChannelsPage::tr("1 channel along axis %1"),
                           ChannelsPage::tr("%1 channels along axis %2"))
                     .arg(*tensor.channelAxis);
    return facts.join(QStringLiteral("   "));
}

/// The one whose scale is farthest from the median, of those that are not dead.
std::optional<std::size_t> farthestChannel(const ChannelFacts& facts)
{
    std::optional<std::size_t> farthest;
    double most = -1.0;
    for (std::size_t channel = 0; channel < facts.channels.size(); ++channel) {
        const double times = facts.channels[channel].timesMedian;
        const bool isAlive = facts.channels[channel].state == ChannelState::Outlier ||
                             facts.channels[channel].state == ChannelState::Plain;
        const double distance =
            isAlive && times > 0.0 && std::isfinite(times) ? std::abs(std::log(times)) : -1.0;
        if (distance > most) {
            most = distance;
            farthest = channel;
        }
    }
    return farthest;
}

}  // namespace

ChannelsPage::ChannelsPage(Document& document, QWidget* parent)
    : WorkspacePage(parent),
      m_document(document),
      m_reader(document.questions().ofPages()),
      m_title(new TensorTitle(document, this)),
      m_editor(new LayoutOverrideEditor(document, this))
{
    fillWith(makeBody(), {m_title, m_editor});
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMs);
    connect(&m_rest, &QTimer::timeout, this, &ChannelsPage::lookClosely);
    connectDocument();
}

QWidget* ChannelsPage::makeBody()
{
    auto* body = new QWidget(this);
    m_controls = new ChannelControls(body);
    auto* halves = new PlotSplitter(Qt::Horizontal, body);
    m_plots = new ChannelPlots(halves);
    m_side = new ChannelSide(halves);
    halves->setUsualShares({halfShares[0], halfShares[1]});
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins({});
    layout->setSpacing(4);
    layout->addWidget(m_controls);
    layout->addWidget(halves, 1);
    m_plots->setMarks([this](std::size_t channel) { return marksOf(channel); });
    connect(m_controls, &ChannelControls::calibratorsWanted, this,
            &ChannelsPage::chooseCalibrators);
    connect(m_controls, &ChannelControls::orderWanted, this, &ChannelsPage::chooseOrder);
    connect(m_controls, &ChannelControls::outliersWanted, this, &ChannelsPage::chooseOutliers);
    connect(m_plots, &ChannelPlots::hovered, this, &ChannelsPage::hover);
    connect(m_plots, &ChannelPlots::readoutChanged, this, &ChannelsPage::readoutChanged);
    connect(m_plots, &ChannelPlots::clicked, this, [this](std::size_t channel, bool isAdded) {
        choose(withClicked(m_chosen, channel, isAdded));
    });
    connect(m_side, &ChannelSide::channelChosen, this,
            [this](std::size_t channel) { choose({channel}); });
    connect(m_side, &ChannelSide::readoutChanged, this, &ChannelsPage::readoutChanged);
    return body;
}

void ChannelsPage::connectDocument()
{
    connect(&m_reader, &ChannelsReader::scalesChanged, this, &ChannelsPage::showScales);
    connect(&m_reader, &ChannelsReader::stripChanged, this, &ChannelsPage::showStrip);
    connect(&m_reader, &ChannelsReader::histogramRead, this, [this](std::size_t channel) {
        m_plots->setHistogram(channel, *m_reader.histogram(channel));
    });
    connect(m_notice, &StateNotice::buttonClicked, this, &ChannelsPage::editLayoutOverride);
    connect(&m_document, &Document::dumpChanged, this, [this] {
        m_reader.forget();
        m_tensor = -1;
    });
    connect(&m_document, &Document::selectionChanged, this, &ChannelsPage::ask);
    connect(&m_document, &Document::tensorsChanged, this, &ChannelsPage::ask);
    connect(&m_document.questions(), &Questions::viewChanged, this, &ChannelsPage::ask);
    connect(&m_document.questions(), &Questions::partChanged, this, &ChannelsPage::followPart);
    connect(&m_document, &Document::changed, this, [this](const DocumentChange& change) {
        if (change.concerns(DocumentChange::Recipe | DocumentChange::Display) ||
            change.before.channels != m_document.workbench().channels)
            ask();
    });
}

void ChannelsPage::chooseCalibrators(const std::array<std::string, 2>& ids)
{
    m_document.change(tr("Calibrators of the channels"),
                      [&](Workbench& workbench) { workbench.channels.calibrators = ids; });
}

void ChannelsPage::chooseOrder(ChannelOrder order)
{
    m_document.change(tr("Order of the channels"),
                      [&](Workbench& workbench) { workbench.channels.order = order; });
}

PlotView* ChannelsPage::currentPlot() const
{
    return m_plots->currentPlot();
}

void ChannelsPage::editLayoutOverride()
{
    m_editor->edit();
}

void ChannelsPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    ask();
}

void ChannelsPage::hideEvent(QHideEvent* event)
{
    m_rest.stop();
    QWidget::hideEvent(event);
}

void ChannelsPage::recolor()
{
    m_plots->setColors();
    showScales();
}

void ChannelsPage::ask()
{
    if (!isVisible())
        return;
    const TensorInfo* tensor = m_document.selectedTensor();
    m_title->show(tensor ? QString::fromStdString(tensor->name) : QString(),
                  tensor ? factsOf(*tensor) : QString());
    if (m_tensor != m_document.selected()) {
        m_tensor = m_document.selected();
        m_channelFacts = std::make_shared<const ChannelFacts>();
        m_wantsOutliers = false;
        setChosen({});
        followPart();
    }
    if (const std::optional<ChannelsNotice> notice = whyNoChannels(tensor)) {
        m_reader.forget();
        return say(notice->title, notice->sentence, notice->button);
    }
    m_controls->show(m_document.workbench().channels, tensor->role);
    m_plots->setCountAxis(m_document.workbench().display.isLogCount ? CountAxis::Log
                                                                    : CountAxis::Linear);
    const auto [first, second] = m_controls->calibrators();
    TensorRef address = m_document.addressOf(m_document.selected());
    m_reader.show({.tensor = std::move(address),
                   .channels = tensor->channelCount(),
                   .choices = {choiceOf(first), choiceOf(second)},
                   .domain = m_document.workbench().display.domain});
    showBody();
    showScales();
}

std::optional<Choice> ChannelsPage::choiceOf(const std::string& id) const
{
    if (id.empty())
        return std::nullopt;
    SchemeKind kind = SchemeKind::SymmetricRestricted;
    for (const OutcomeRow& row : m_document.questions().rows())
        if (row.isChosenRecipes && !calibrator(id).isSymmetricOnly)
            kind = row.candidate.choice.scheme.kind;
    return makeChoice(id, {}, kind, Granularity::Channel);
}

void ChannelsPage::setChosen(std::vector<std::size_t> channels, bool isFarthestFirst)
{
    m_chosen = std::move(channels);
    m_plots->setChosen(m_chosen, isFarthestFirst);
    m_side->setChosen(m_chosen);
    m_rest.start();
}

void ChannelsPage::choose(std::vector<std::size_t> channels, bool isFarthestFirst)
{
    setChosen(std::move(channels), isFarthestFirst);
    // Other pages show one channel, or all.
    m_document.questions().chooseChannel(
        m_chosen.size() == 1 ? std::optional<std::uint64_t>(m_chosen.front()) : std::nullopt);
}

void ChannelsPage::followPart()
{
    const std::optional<std::uint64_t> channel = m_document.questions().part().channel;
    if (channel && (m_chosen.size() != 1 || m_chosen.front() != *channel))
        setChosen({static_cast<std::size_t>(*channel)});
    else if (!channel && m_chosen.size() == 1)
        setChosen({});
}

void ChannelsPage::chooseOutliers()
{
    // Which ones they are may be known only when the scales have been read.
    m_wantsOutliers = m_channelFacts->channels.empty();
    if (m_wantsOutliers)
        return;
    std::vector<std::size_t> outliers;
    for (std::size_t channel = 0; channel < m_channelFacts->channels.size(); ++channel)
        if (m_channelFacts->channels[channel].state == ChannelState::Outlier)
            outliers.push_back(channel);
    // The farthest ones first: a plot can tell only a few apart.
    std::ranges::stable_sort(outliers, std::greater{}, [this](std::size_t channel) {
        return std::abs(std::log(m_channelFacts->channels[channel].timesMedian));
    });
    m_side->setFilter(ChannelFilter::Outliers);
    choose(std::move(outliers), true);
}

void ChannelsPage::lookClosely()
{
    if (!isVisible())
        return;
    const std::vector<std::size_t> shown = m_plots->drawnChannels();
    for (const std::size_t channel : shown)
        if (const Histogram* known = m_reader.histogram(channel))
            m_plots->setHistogram(channel, *known);
    m_reader.look(shown);
}

void ChannelsPage::hover(std::optional<std::size_t> channel)
{
    if (m_hovered == channel)
        return;
    m_hovered = channel;
    m_plots->setHovered(channel);
    m_rest.start();
}

void ChannelsPage::showScales()
{
    showGains();
    const ChannelScalesAnswer& first = m_reader.scales(0);
    if (!first.perChannel) {
        m_plots->clearScales(first.isPending ? tr("Computing the scales of the channels…")
                                             : QString());
        m_plots->setUsual({});
        m_side->setFacts(std::make_shared<const ChannelFacts>());
        return;
    }
    if (!first.perChannel->problem.empty()) {
        m_plots->clearScales(QString::fromStdString(first.perChannel->problem));
        m_side->setFacts(std::make_shared<const ChannelFacts>());
        return;
    }
    if (const QString nothing = nothingToShow(first.perChannel->whole.extents); !nothing.isEmpty())
        return say(tr("No channel has a scale"), nothing);
    m_channelFacts = std::make_shared<const ChannelFacts>(
        channelFacts(*first.perChannel, first.perTensor ? &*first.perTensor : nullptr));
    m_side->setFacts(m_channelFacts);
    m_controls->setOutliers(m_channelFacts->countOf(ChannelState::Outlier));
    m_plots->setScales(scaleRows(*m_channelFacts, {&first, &m_reader.scales(1)},
                                 m_document.workbench().channels.order, chartColors(palette())));
    m_plots->setTensorClip(first.perTensor && first.perTensor->problem.empty()
                               ? std::optional(first.perTensor->whole.quantizer.clip)
                               : std::nullopt);
    m_plots->setMarks([this](std::size_t channel) { return marksOf(channel); });
    m_plots->setUsual(farthestChannel(*m_channelFacts));
    m_rest.start();
    m_side->setChosen(m_chosen);
    if (m_wantsOutliers)
        chooseOutliers();
}

void ChannelsPage::showStrip()
{
    m_plots->setStrip(m_reader.strip().result(), m_document.workbench().display.domain,
                      m_reader.strip().problem());
}

void ChannelsPage::showGains()
{
    const ChartColors& colors = chartColors(palette());
    const std::array ids = m_controls->calibrators();
    const std::array styles = channelRowStyles(ids, colors);
    std::array<ChannelSide::Gain, 2> gains;
    for (std::size_t place = 0; place < gains.size(); ++place) {
        if (ids[place].empty())
            continue;
        gains[place] = {.label = calibratorTitle(ids[place]),
                        .color = readableOn(colors.background, styles[place].color),
                        .scales = &m_reader.scales(place)};
    }
    m_side->setGains(gains);
}

std::vector<ThresholdMark> ChannelsPage::marksOf(std::size_t channel) const
{
    return channelThresholds(channel, {&m_reader.scales(0), &m_reader.scales(1)},
                             chartColors(palette()));
}

}  // namespace calibscope
