// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/codec/stats_fields.h"
#include "core/protocol/layer_messages.h"
#include "core/protocol/study_messages.h"

namespace calibscope::protocol {

template <>
inline constexpr auto fieldsOf<DominantChannel> =
    std::tuple{Field{"channel", &DominantChannel::channel},
               Field{"absMax", &DominantChannel::absMax}, Field{"ratio", &DominantChannel::ratio}};

template <>
inline constexpr auto fieldsOf<LayerOperand> = std::tuple{
    Field{"tensor", &LayerOperand::tensor},       Field{"path", &LayerOperand::path},
    Field{"candidate", &LayerOperand::candidate}, Field{"label", &LayerOperand::label},
    Field{"isWeight", &LayerOperand::isWeight},   Field{"decidedBy", &LayerOperand::decidedBy},
};

template <>
inline constexpr auto fieldsOf<LayerChannels> = std::tuple{
    Field{"signal", &LayerChannels::signal},       Field{"noise", &LayerChannels::noise},
    Field{"meanError", &LayerChannels::meanError}, Field{"gainDb", &LayerChannels::gainDb},
    Field{"isDead", &LayerChannels::isDead},
};

inline void check(const LayerChannels& channels, const Where& where)
{
    const std::size_t count = channels.size();
    if (channels.noise.size() != count || channels.meanError.size() != count ||
        channels.gainDb.size() != count || channels.isDead.size() != count)
        where.fail("has lists of channels of different length");
}

template <>
inline constexpr auto fieldsOf<LayerResult> = std::tuple{
    Field{"layer", &LayerResult::layer},
    Field{"path", &LayerResult::path},
    Field{"op", &LayerResult::op},
    Field{"input", &LayerResult::input},
    Field{"weight", &LayerResult::weight},
    SentenceField{"whyNot", &LayerResult::whyNot},
    Field{"outputSqnrDb", &LayerResult::outputSqnrDb},
    Field{"intervalDb", &LayerResult::intervalDb},
    Field{"outputAcDb", &LayerResult::outputAcDb},
    Field{"inputDb", &LayerResult::inputDb},
    Field{"weightDb", &LayerResult::weightDb},
    Field{"residual", &LayerResult::residual},
    Field{"positions", &LayerResult::positions},
    Field{"of", &LayerResult::of},
    SentenceField{"attributes", &LayerResult::attributes},
    SentenceField{"notes", &LayerResult::notes},
    Field{"biasGainDb", &LayerResult::biasGainDb},
    Field{"medianChannelDb", &LayerResult::medianChannelDb},
    Field{"leastChannelDb", &LayerResult::leastChannelDb},
    Field{"channels", &LayerResult::channels},
    Field{"dominant", &LayerResult::dominant},
};

template <>
inline constexpr auto fieldsOf<CandidateEffect> = std::tuple{
    Field{"candidate", &CandidateEffect::candidate},
    Field{"label", &CandidateEffect::label},
    Field{"isDecided", &CandidateEffect::isDecided},
    Field{"outputSqnrDb", &CandidateEffect::outputSqnrDb},
    Field{"differenceDb", &CandidateEffect::differenceDb},
    SentenceField{"problem", &CandidateEffect::problem},
};

template <>
inline constexpr auto fieldsOf<LayerCandidates> = std::tuple{
    Field{"decided", &LayerCandidates::decided},
    Field{"input", &LayerCandidates::input},
    Field{"weight", &LayerCandidates::weight},
    Field{"bestInput", &LayerCandidates::bestInput},
    Field{"bestWeight", &LayerCandidates::bestWeight},
    Field{"bestSqnrDb", &LayerCandidates::bestSqnrDb},
    Field{"bestDifferenceDb", &LayerCandidates::bestDifferenceDb},
};

inline void check(const LayerCandidates& candidates, const Where& where)
{
    if ((candidates.bestInput && *candidates.bestInput >= candidates.input.size()) ||
        (candidates.bestWeight && *candidates.bestWeight >= candidates.weight.size()))
        where.fail("names a candidate that it does not hold");
}

template <>
inline constexpr auto fieldsOf<OperandTrial> = std::tuple{
    Field{"method", &OperandTrial::method},
    Field{"format", &OperandTrial::format},
    Field{"setting", &OperandTrial::setting},
    Field{"effectiveBits", &OperandTrial::effectiveBits},
    Field{"outputMse", &OperandTrial::outputMse},
    Field{"outputSqnrDb", &OperandTrial::outputSqnrDb},
    Field{"factors", &OperandTrial::factors},
    Field{"blocks", &OperandTrial::blocks},
    Field{"isBest", &OperandTrial::isBest},
};

template <>
inline constexpr auto fieldsOf<OperandTrials> = std::tuple{
    Field{"layer", &OperandTrials::layer},
    Field{"input", &OperandTrials::input},
    Field{"weight", &OperandTrials::weight},
    SentenceField{"whyNot", &OperandTrials::whyNot},
    Field{"positions", &OperandTrials::positions},
    Field{"of", &OperandTrials::of},
    Field{"notes", &OperandTrials::notes},
    Field{"trials", &OperandTrials::trials},
    Field{"inputLargest", &OperandTrials::inputLargest},
    Field{"weightLargest", &OperandTrials::weightLargest},
    Field{"errorShares", &OperandTrials::errorShares},
};

inline void check(const OperandTrials& trials, const Where& where)
{
    const std::size_t channels = trials.inputLargest.size();
    bool isWhole = trials.weightLargest.size() == channels &&
                   (trials.errorShares.empty() || trials.errorShares.size() == channels);
    for (const OperandTrial& trial : trials.trials)
        isWhole = isWhole && (trial.factors.empty() || trial.factors.size() == channels);
    if (!isWhole)
        where.fail("has lists of channels of different length");
}

template <>
inline constexpr auto fieldsOf<Equalization> = std::tuple{
    Field{"first", &Equalization::first},
    Field{"second", &Equalization::second},
    Field{"activation", &Equalization::activation},
    Field{"through", &Equalization::through},
    SentenceField{"whyNot", &Equalization::whyNot},
    Field{"firstBeforeDb", &Equalization::firstBeforeDb},
    Field{"firstAfterDb", &Equalization::firstAfterDb},
    Field{"secondBeforeDb", &Equalization::secondBeforeDb},
    Field{"secondAfterDb", &Equalization::secondAfterDb},
    Field{"leastScale", &Equalization::leastScale},
    Field{"largestScale", &Equalization::largestScale},
    Field{"dominant", &Equalization::dominant},
    SentenceField{"notes", &Equalization::notes},
};

template <>
inline constexpr auto fieldsOf<LayersRequest> =
    std::tuple{FileField{"path", &LayersRequest::path},
               Field{"allowExternal", &LayersRequest::allowExternal},
               Field{"edited", &LayersRequest::edited}};

template <>
inline constexpr auto fieldsOf<LayerList> = std::tuple{Field{"layers", &LayerList::layers}};

template <>
inline constexpr auto fieldsOf<ChoiceOnTensor> =
    std::tuple{Field{"path", &ChoiceOnTensor::path}, Field{"id", &ChoiceOnTensor::id},
               Field{"label", &ChoiceOnTensor::label}, Field{"choice", &ChoiceOnTensor::choice}};

template <>
inline constexpr auto fieldsOf<LayerRequest> = std::tuple{
    FileField{"path", &LayerRequest::path},
    Field{"allowExternal", &LayerRequest::allowExternal},
    Field{"edited", &LayerRequest::edited},
    Field{"layer", &LayerRequest::layer},
    Field{"decisions", &LayerRequest::decisions},
    Field{"positions", &LayerRequest::positions},
    Field{"seed", &LayerRequest::seed},
    Field{"perChannel", &LayerRequest::perChannel},
};

template <>
inline constexpr auto fieldsOf<OperandTrialsRequest> =
    std::tuple{Field{"layer", &OperandTrialsRequest::layer},
               Field{"analysis", &OperandTrialsRequest::analysis},
               Field{"format", &OperandTrialsRequest::format}};

template <>
inline constexpr auto fieldsOf<LayerTrialsRequest> =
    std::tuple{Field{"layer", &LayerTrialsRequest::layer},
               Field{"candidates", &LayerTrialsRequest::candidates}};

template <>
inline constexpr auto fieldsOf<EqualizationsRequest> = std::tuple{
    FileField{"path", &EqualizationsRequest::path},
    Field{"allowExternal", &EqualizationsRequest::allowExternal},
    Field{"edited", &EqualizationsRequest::edited},
    Field{"decisions", &EqualizationsRequest::decisions},
    Field{"positions", &EqualizationsRequest::positions},
    Field{"seed", &EqualizationsRequest::seed},
};

template <>
inline constexpr auto fieldsOf<Equalizations> = std::tuple{Field{"pairs", &Equalizations::pairs}};

template <>
inline constexpr int enumCount<SampleUnit> = 2;

template <>
inline constexpr auto fieldsOf<SampleBand> =
    std::tuple{Field{"low", &SampleBand::low}, Field{"high", &SampleBand::high}};

template <>
inline constexpr auto fieldsOf<CurvePoint> = std::tuple{
    Field{"units", &CurvePoint::units},
    Field{"threshold", &CurvePoint::threshold},
    Field{"sqnrDb", &CurvePoint::sqnrDb},
    Field{"thresholdBand", &CurvePoint::thresholdBand},
    Field{"sqnrBandDb", &CurvePoint::sqnrBandDb},
};

template <>
inline constexpr auto fieldsOf<OrderSpread> =
    std::tuple{Field{"orders", &OrderSpread::orders}, Field{"thresholds", &OrderSpread::thresholds},
               Field{"share", &OrderSpread::share}, Field{"sqnrDb", &OrderSpread::sqnrDb}};

template <>
inline constexpr auto fieldsOf<NeighbourLikeness> =
    std::tuple{Field{"correlation", &NeighbourLikeness::correlation},
               Field{"independentUnits", &NeighbourLikeness::independentUnits}};

template <>
inline constexpr auto fieldsOf<HeldOutPart> =
    std::tuple{Field{"firstUnit", &HeldOutPart::firstUnit}, Field{"units", &HeldOutPart::units},
               Field{"threshold", &HeldOutPart::threshold}, Field{"sqnrDb", &HeldOutPart::sqnrDb}};

template <>
inline constexpr auto fieldsOf<HeldOut> =
    std::tuple{Field{"parts", &HeldOut::parts}, Field{"sqnrDb", &HeldOut::sqnrDb},
               Field{"seenSqnrDb", &HeldOut::seenSqnrDb}, Field{"gapDb", &HeldOut::gapDb}};

template <>
inline constexpr auto fieldsOf<SampleStudy> = std::tuple{
    FileField{"file", &SampleStudy::file},
    Field{"tensor", &SampleStudy::tensor},
    Field{"role", &SampleStudy::role},
    Field{"op", &SampleStudy::op},
    Field{"choice", &SampleStudy::choice},
    Field{"channel", &SampleStudy::channel},
    Field{"unit", &SampleStudy::unit},
    Field{"units", &SampleStudy::units},
    Field{"batches", &SampleStudy::batches},
    Field{"samples", &SampleStudy::samples},
    Field{"resamples", &SampleStudy::resamples},
    Field{"seed", &SampleStudy::seed},
    Field{"threshold", &SampleStudy::threshold},
    Field{"scale", &SampleStudy::scale},
    Field{"sqnrDb", &SampleStudy::sqnrDb},
    Field{"hasExactSqnr", &SampleStudy::hasExactSqnr},
    Field{"thresholdBand", &SampleStudy::thresholdBand},
    Field{"sqnrBandDb", &SampleStudy::sqnrBandDb},
    SentenceField{"whyNoBand", &SampleStudy::whyNoBand},
    Field{"likeness", &SampleStudy::likeness},
    Field{"curve", &SampleStudy::curve},
    Field{"convergedWithin1", &SampleStudy::convergedWithin1},
    Field{"convergedWithin5", &SampleStudy::convergedWithin5},
    Field{"order", &SampleStudy::order},
    Field{"heldOut", &SampleStudy::heldOut},
    SentenceField{"notes", &SampleStudy::notes},
    SentenceField{"problem", &SampleStudy::problem},
};

template <>
inline constexpr auto fieldsOf<StudyRequest> = std::tuple{
    Field{"tensor", &StudyRequest::tensor},       Field{"choices", &StudyRequest::choices},
    Field{"withBands", &StudyRequest::withBands}, Field{"parts", &StudyRequest::parts},
    Field{"seed", &StudyRequest::seed},
};

template <>
inline constexpr auto fieldsOf<Studied> = std::tuple{Field{"studies", &Studied::studies}};

template <>
inline constexpr bool hasOptions<LayersRequest> = true;
template <>
inline constexpr bool hasOptions<LayerRequest> = true;
template <>
inline constexpr bool hasOptions<LayerTrialsRequest> = true;
template <>
inline constexpr bool hasOptions<OperandTrialsRequest> = true;
template <>
inline constexpr bool hasOptions<EqualizationsRequest> = true;
template <>
inline constexpr bool hasOptions<StudyRequest> = true;

}  // namespace calibscope::protocol
