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
    : QObject(parent), m_questions(questions), m_histograms(keptHistograms)
{}

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
    for (EngineRequest* asked :
         {&m_askedScales[0], &m_askedScales[1], &m_askedStrip, &m_askedChannel})
        asked->drop();
    m_question.reset();
    m_wanted.clear();
    m_scales = {};
    m_strip.reset();
    m_stripProblem.clear();
    m_histograms.clear();
}

protocol::ViewRequest ChannelsReader::request() const
{
    return {.tensor = m_question->tensor, .curves = false};
}

void ChannelsReader::askScales(std::size_t place)
{
    m_askedScales[place].drop();
    m_scales[place] = {};
    const std::optional<Choice>& choice = m_question->choices[place];
    if (choice) {
        protocol::ViewRequest wanted = request();
        wanted.choices = {*choice, *choice};
        wanted.choices[1].granularity = Granularity::Tensor;
        m_scales[place].isPending = true;
        m_askedScales[place] =
            m_questions.ask(wanted, [this, place](Answer<protocol::TensorView> answer) {
                ChannelScalesAnswer& scales = m_scales[place];
                scales = {};
                if (!answer.value || answer.value->outcomes.size() < 2) {
                    scales.perChannel = failed(answer.failure);
                } else {
                    scales.perChannel = std::move(answer.value->outcomes[0]);
                    scales.perTensor = std::move(answer.value->outcomes[1]);
                }
                Q_EMIT scalesChanged();
            });
    }
    Q_EMIT scalesChanged();
}

void ChannelsReader::askStrip()
{
    m_askedStrip.drop();
    m_strip.reset();
    m_stripProblem.clear();
    const protocol::StripRequest wanted{.tensor = m_question->tensor,
                                        .rows = StripRows::Channel,
                                        .domain = m_question->domain,
                                        .columns = stripColumns(m_question->channels)};
    m_askedStrip = m_questions.ask(wanted, [this](Answer<protocol::Strip> answer) {
        m_strip = std::move(answer.value);
        m_stripProblem = answer.failure;
        Q_EMIT stripChanged();
    });
    Q_EMIT stripChanged();
}

void ChannelsReader::look(std::vector<std::size_t> channels)
{
    m_askedChannel.drop();
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
    const HistogramSpec spec{.domain = m_question->domain};
    wanted.histograms = {spec};
    wanted.tensor.part.channel = channel;
    m_askedChannel =
        m_questions.ask(wanted, [this, channel, spec](Answer<protocol::TensorView> answer) {
            const Histogram* histogram =
                answer.value ? answer.value->profile.histogram(spec) : nullptr;
            if (histogram) {
                m_histograms.insert(channel, new Histogram(*histogram));
                Q_EMIT histogramRead(channel);
            }
            askHistogram();
        });
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
