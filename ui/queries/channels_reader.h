// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/outcome.h"
#include "core/stats/strip.h"
#include "ui/queries/dump_requests.h"
#include "ui/queries/query.h"

#include <QCache>
#include <QObject>
#include <QString>

#include <array>
#include <optional>

namespace calibscope {

/// Results on a tensor's channels.
struct ChannelsQuestion
{
    TensorRef tensor;
    std::uint64_t channels = 0;
    /// One or two calibrators, each with a scale per channel; the first is always there.
    std::array<std::optional<Choice>, 2> choices;
    Domain domain = Domain::Magnitude;
};

/// A calibrator's scales per channel, and the one that it gives the whole tensor.
struct ChannelScalesAnswer
{
    std::optional<Outcome> perChannel;  ///< its problem is set where there are none
    std::optional<Outcome> perTensor;
    bool isPending = false;
};

/// Reads what is shown of a tensor's channels: the scales of two calibrators both ways, where the
/// values of each channel lie, and single channels in full. The latest question wins.
class ChannelsReader : public QObject
{
    Q_OBJECT

public:
    explicit ChannelsReader(TensorQuestions& questions, QObject* parent = nullptr);

    /// Asks for what it does not know yet of that.
    void show(const ChannelsQuestion& question);
    /// Drops what is being read, and forgets all.
    void forget();
    /// Asks for the own histograms of these channels, one after another; the latest call wins.
    void look(std::vector<std::size_t> channels);

    [[nodiscard]] const ChannelScalesAnswer& scales(std::size_t place) const
    {
        return m_scales[place];
    }
    [[nodiscard]] const StripQuery& strip() const { return m_strip; }
    /// nullptr until it was looked at and answered.
    [[nodiscard]] const Histogram* histogram(std::size_t channel) const;

    /// Columns of the strip for so many channels: so many counts as a window can hold and a pixel
    /// can show.
    [[nodiscard]] static std::uint64_t stripColumns(std::uint64_t channels);

Q_SIGNALS:
    void scalesChanged();
    void stripChanged();
    void histogramRead(std::size_t channel);

private:
    void askScales(std::size_t place);
    void takeScales(std::size_t place);
    void askStrip();
    void askHistogram();
    void takeHistogram();
    [[nodiscard]] protocol::ViewRequest request() const;

    std::optional<ChannelsQuestion> m_question;
    std::array<ChannelScalesAnswer, 2> m_scales;
    std::array<ViewQuery, 2> m_scaleQueries;
    StripQuery m_strip;
    std::vector<std::size_t> m_wanted;  ///< channels to be looked at after the one that is read
    ViewQuery m_channel;
    QCache<std::size_t, Histogram> m_histograms;
};

}  // namespace calibscope
