#pragma once

#include "core/protocol/codec/outcome_fields.h"
#include "core/protocol/messages.h"

namespace calibscope::protocol {

template <>
struct Fields<OpenRequest>
{
    static constexpr auto list = std::tuple{Field{"path", &OpenRequest::path},
                                            Field{"allowExternal", &OpenRequest::allowExternal}};
};

template <>
struct Fields<DumpOpened>
{
    using S = DumpOpened;
    static constexpr auto list = std::tuple{
        Field{"identity", &S::identity}, Field{"attributes", &S::attributes},
        Field{"warnings", &S::warnings}, Field{"rules", &S::rules}, Field{"tensors", &S::tensors}};
};

template <>
struct Fields<ViewRequest>
{
    using S = ViewRequest;
    static constexpr auto list = std::tuple{
        Field{"path", &S::path},
        Field{"allowExternal", &S::allowExternal},
        Field{"tensor", &S::tensor},
        Field{"understanding", &S::layoutOverride},
        Field{"histograms", &S::histograms},
        Field{"choices", &S::choices},
        Field{"exactMetrics", &S::exactMetrics},
        Field{"channelMetrics", &S::channelMetrics},
        Field{"part", &S::part},
        Field{"curves", &S::curves},
    };
};

template <>
struct Fields<TensorView>
{
    using S = TensorView;
    static constexpr auto list =
        std::tuple{Field{"profile", &S::profile}, Field{"outcomes", &S::outcomes},
                   Field{"typeOffer", &S::typeOffer}};
};

template <>
struct Fields<PreviewRequest>
{
    using S = PreviewRequest;
    static constexpr auto list =
        std::tuple{Field{"path", &S::path}, Field{"allowExternal", &S::allowExternal},
                   Field{"tensor", &S::tensor}, Field{"understanding", &S::layoutOverride},
                   Field{"choice", &S::choice}};
};

template <>
struct Fields<Preview>
{
    using S = Preview;
    static constexpr auto list =
        std::tuple{Field{"extents", &S::extents}, Field{"sparkline", &S::sparkline},
                   Field{"sqnrDb", &S::sqnrDb}, Field{"notes", &S::notes}};
};

template <>
constexpr int enumCount<StripRows> = 2;

template <>
struct Fields<StripRequest>
{
    using S = StripRequest;
    static constexpr auto list = std::tuple{
        Field{"path", &S::path},     Field{"allowExternal", &S::allowExternal},
        Field{"tensor", &S::tensor}, Field{"understanding", &S::layoutOverride},
        Field{"part", &S::part},     Field{"rows", &S::rows},
        Field{"domain", &S::domain}, Field{"columns", &S::columns},
        Field{"range", &S::range},
    };
};

}  // namespace calibscope::protocol
