// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/quantize_options.h"

#include "core/base/error.h"

#include <array>

namespace calibscope::model {

namespace {

template <typename Value>
using Word = std::pair<std::string_view, Value>;

template <typename Value, std::size_t count>
Value valueOf(std::string_view what, const std::array<Word<Value>, count>& words,
              std::string_view text)
{
    std::string known;
    for (const auto& [word, value] : words) {
        if (word == text)
            return value;
        known += (known.empty() ? "" : ", ") + std::string(word);
    }
    throw Error(Fault::Usage, "{} \"{}\" is not known; there are {}", what, text, known);
}

constexpr std::array<Word<PairPlaces>, 3> placesWords{{
    {"operands", PairPlaces::Operands},
    {"layers", PairPlaces::Layers},
    {"decided", PairPlaces::Decided},
}};

}  // namespace

PairPlaces parsePairPlaces(std::string_view text)
{
    return valueOf("--places", placesWords, text);
}

ActivationIntegers parseActivationIntegers(std::string_view text)
{
    constexpr std::array<Word<ActivationIntegers>, 2> words{
        {{"int8", ActivationIntegers::Int8}, {"uint8", ActivationIntegers::UInt8}}};
    return valueOf("--activations", words, text);
}

BiasStorage parseBiasStorage(std::string_view text)
{
    constexpr std::array<Word<BiasStorage>, 2> words{
        {{"float", BiasStorage::Float}, {"int32", BiasStorage::Int32}}};
    return valueOf("--bias", words, text);
}

TargetRuntime parseTargetRuntime(std::string_view text)
{
    constexpr std::array<Word<TargetRuntime>, 3> words{{
        {"any", TargetRuntime::Any},
        {"onnxruntime", TargetRuntime::OnnxRuntime},
        {"tensorrt", TargetRuntime::TensorRt},
    }};
    return valueOf("--target", words, text);
}

int parseMostWeightLevel(std::string_view text, TargetRuntime target)
{
    const std::array<Word<int>, 3> words{
        {{"auto", target == TargetRuntime::TensorRt ? 127 : 63}, {"127", 127}, {"63", 63}}};
    return valueOf("--weights-to", words, text);
}

std::string_view pairPlacesText(PairPlaces places)
{
    for (const auto& [word, value] : placesWords)
        if (value == places)
            return word;
    return {};
}

}  // namespace calibscope::model
