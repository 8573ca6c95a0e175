// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/channels_reader.h"

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

constexpr int keptHistograms = 64;

bool isSameChoice(const std::optional<Choice>& one, const std::optional<Choice>& other)
{
    return one.has_value() == other.has_value() && (!one || one->isSameComputation(*other));
}

Outcome failed(const QString& sentence)
{
    Outcome outcome;
    outcome.problem = sentence.toStdString();
    return outcome;
}

}  // namespace

ChannelsReader::ChannelsReader(TensorQuestions& questions, QObject* parent)
    : QObject(parent),
      m_scaleQueries{ViewQuery(questions), ViewQuery(questions)},
      m_strip(questions),
      m_channel(questions),
      m_histograms(keptHistograms)
{
    for (const std::size_t place : {0U, 1U})
        connect(&m_scaleQueries[place], &QueryState::changed, this,
                [this, place] { takeScales(place); });
    connect(&m_strip, &QueryState::changed, this, &ChannelsReader::stripChanged);
    connect(&m_channel, &QueryState::changed, this, &ChannelsReader::takeHistogram);
}

void ChannelsReader::show(const ChannelsQuestion& question)
{
    const std::optional<ChannelsQuestion> before = std::exchange(m_question, question);
    const bool isSame = before && before->tensor == question.tensor;
    if (!isSame) {
        forget();
        m_question = question;
    }
    // In the order in which they are looked at: requests are worked on one after another.
    if (!isSame || !isSameChoice(before->choices[0], question.choices[0]))
        askScales(0);
    if (!isSame || before->domain != question.domain)
        askStrip();
    if (!isSame || !isSameChoice(before->choices[1], question.choices[1]))
        askScales(1);
    if (isSame && before->domain != question.domain)
        m_histograms.clear();
}

void ChannelsReader::forget()
{
    for (ViewQuery* query : {&m_scaleQueries[0], &m_scaleQueries[1], &m_channel})
        query->drop();
    m_strip.drop();
    m_question.reset();
    m_wanted.clear();
    m_scales = {};
    m_histograms.clear();
}

protocol::ViewRequest ChannelsReader::request() const
{
    return {.tensor = m_question->tensor, .curves = false};
}

void ChannelsReader::askScales(std::size_t place)
{
    const std::optional<Choice>& choice = m_question->choices[place];
    if (!choice) {
        m_scaleQueries[place].drop();
        m_scales[place] = {};
        Q_EMIT scalesChanged();
        return;
    }
    protocol::ViewRequest wanted = request();
    wanted.choices = {*choice, *choice};
    wanted.choices[1].granularity = Granularity::Tensor;
    m_scaleQueries[place].ask(wanted);
}

void ChannelsReader::takeScales(std::size_t place)
{
    const ViewQuery& query = m_scaleQueries[place];
    ChannelScalesAnswer& scales = m_scales[place];
    scales = {};
    scales.isPending = query.isReading();
    if (query.result() && query.result()->outcomes.size() > 1) {
        scales.perChannel = query.result()->outcomes[0];
        scales.perTensor = query.result()->outcomes[1];
    } else if (!query.isReading()) {
        scales.perChannel = failed(query.problem());
    }
    Q_EMIT scalesChanged();
}

void ChannelsReader::askStrip()
{
    m_strip.ask({.tensor = m_question->tensor,
                 .rows = StripRows::Channel,
                 .domain = m_question->domain,
                 .columns = stripColumns(m_question->channels)});
}

void ChannelsReader::look(std::vector<std::size_t> channels)
{
    m_channel.drop();
    m_wanted = std::move(channels);
    askHistogram();
}

void ChannelsReader::askHistogram()
{
    std::erase_if(m_wanted, [this](std::size_t channel) { return m_histograms.contains(channel); });
    if (!m_question || m_wanted.empty())
        return;
    const std::size_t channel = m_wanted.front();
    m_wanted.erase(m_wanted.begin());
    protocol::ViewRequest wanted = request();
    wanted.histograms = {{.domain = m_question->domain}};
    wanted.tensor.part.channel = channel;
    m_channel.ask(wanted);
}

void ChannelsReader::takeHistogram()
{
    if (m_channel.isReading())
        return;
    const protocol::ViewRequest& asked = m_channel.request();
    const Histogram* histogram =
        m_channel.result() ? m_channel.result()->profile.histogram(asked.histograms.front())
                           : nullptr;
    if (histogram) {
        const auto channel = static_cast<std::size_t>(*asked.tensor.part.channel);
        m_histograms.insert(channel, new Histogram(*histogram));
        Q_EMIT histogramRead(channel);
    }
    askHistogram();
}

const Histogram* ChannelsReader::histogram(std::size_t channel) const
{
    return m_histograms.object(channel);
}

std::uint64_t ChannelsReader::stripColumns(std::uint64_t channels)
{
    constexpr std::uint64_t mostCounts = std::uint64_t{1} << 21U;  // 16 MiB
    return std::clamp<std::uint64_t>(mostCounts / std::max<std::uint64_t>(channels, 1), 256, 1024);
}

}  // namespace calibscope
