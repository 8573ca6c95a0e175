#pragma once

#include "core/protocol/codec/outcome_fields.h"
#include "core/protocol/messages.h"

namespace calibscope::protocol {

template <>
struct Fields<RecordedTensor>
{
    using S = RecordedTensor;
    static constexpr auto list =
        std::tuple{Field{"path", &S::path}, Field{"allowExternal", &S::allowExternal},
                   Field{"tensor", &S::tensor}, Field{"understanding", &S::layoutOverride}};
};

template <>
struct Fields<CompareRequest>
{
    using S = CompareRequest;
    static constexpr auto list =
        std::tuple{Field{"a", &S::a}, Field{"b", &S::b}, Field{"choices", &S::choices},
                   Field{"exactMetrics", &S::exactMetrics}};
};

template <>
struct Fields<Drift>
{
    using S = Drift;
    static constexpr auto list = std::tuple{
        Field{"maxRatio", &S::maxRatio}, Field{"earthMover", &S::earthMover},
        Field{"earthMoverShare", &S::earthMoverShare}, Field{"klDivergence", &S::klDivergence}};
};

template <>
struct Fields<TransferredScales>
{
    using S = TransferredScales;
    static constexpr auto list =
        std::tuple{Field{"metrics", &S::metrics}, Field{"isExact", &S::isExact}};
};

template <>
struct Fields<ChoiceComparison>
{
    using S = ChoiceComparison;
    static constexpr auto list =
        std::tuple{Field{"a", &S::a}, Field{"b", &S::b}, Field{"transferred", &S::transferred},
                   Field{"whyNotTransferred", &S::whyNotTransferred}};
};

template <>
struct Fields<TensorComparison>
{
    using S = TensorComparison;
    static constexpr auto list =
        std::tuple{Field{"drift", &S::drift}, Field{"choices", &S::choices}};
};

template <>
struct Fields<Compared>
{
    using S = Compared;
    static constexpr auto list =
        std::tuple{Field{"a", &S::a}, Field{"b", &S::b}, Field{"comparison", &S::comparison}};
};

}  // namespace calibscope::protocol
