// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/block_format.h"

#include "core/base/error.h"
#include "core/base/join.h"
#include "core/base/number_text.h"
#include "core/formats/format_presets.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace calibscope {

namespace {

constexpr double leastE4m3 = 0x1p-9;

template <typename Value>
using Words = std::vector<std::pair<Value, std::string_view>>;

const Words<ScaleRule> powerRules{{ScaleRule::Floor, "floor"},
                                  {ScaleRule::Rceil, "rceil"},
                                  {ScaleRule::Even, "even"},
                                  {ScaleRule::Ceil, "ceil"}};
const Words<Ties> tieWords{{Ties::ToEven, "half-even"},
                           {Ties::AwayFromZero, "half-away"},
                           {Ties::TowardsZero, "half-down"}};

const Words<ScaleSearch::Kind> searchWords{{ScaleSearch::Kind::None, "none"},
                                           {ScaleSearch::Kind::Shrink, "shrink"},
                                           {ScaleSearch::Kind::Multiplier, "multiplier"},
                                           {ScaleSearch::Kind::Sweep, "sweep"},
                                           {ScaleSearch::Kind::FourOverSix, "four-over-six"},
                                           {ScaleSearch::Kind::LeastSquares, "least-squares"},
                                           {ScaleSearch::Kind::Hqq, "hqq"},
                                           {ScaleSearch::Kind::Weighted, "weighted"}};

const Words<ScaleSearch::Importance> importanceWords{{ScaleSearch::Importance::None, "none"},
                                                     {ScaleSearch::Importance::Input, "input"},
                                                     {ScaleSearch::Importance::Hessian, "hessian"}};

const Words<Quotient> quotientWords{{Quotient::Divided, "divide"},
                                    {Quotient::Multiplied, "multiply"},
                                    {Quotient::Inverse, "inverse"}};

template <typename Value>
Value valueOf(const Words<Value>& words, std::string_view word)
{
    return std::ranges::find(words, word, &std::pair<Value, std::string_view>::second)->first;
}

bool isSigned(const BlockFormat& format)
{
    return format.element->numbers().least() < 0.0;
}

BlockFormat groupsOf(const char* id, const char* element, Granularity granularity,
                     const char* users)
{
    BlockFormat format{
        .id = id, .users = users, .element = &elementFormat(element), .granularity = granularity};
    const NumberFormat& numbers = format.element->numbers();
    format.divisor = numbers.largest();
    if (numbers.isInteger() && numbers.low() == 0)
        format.rule = ScaleRule::Affine;
    return format;
}

BlockFormat mx(const char* id, const char* element, const char* users)
{
    BlockFormat format = groupsOf(id, element, {Granularity::Kind::Group, 1, 32}, users);
    format.scales = &elementFormat("e8m0");
    format.rule = ScaleRule::Floor;
    return format;
}

BlockFormat nv(const char* id, bool hasTensorScale, const char* users)
{
    BlockFormat format = groupsOf(id, "fp4-e2m1", {Granularity::Kind::Group, 1, 16}, users);
    format.scales = &elementFormat("fp8-e4m3");
    format.rule = ScaleRule::TwoLevel;
    format.hasTensorScale = hasTensorScale;
    format.leastScale = leastE4m3;
    return format;
}

/// llama.cpp's first family: float16 in blocks of 32, elements by the scale before it is rounded.
BlockFormat ggml(const char* id, const char* element, ScaleRule rule)
{
    BlockFormat format = groupsOf(id, element, {Granularity::Kind::Group, 1, 32}, "llama.cpp");
    format.scales = &elementFormat("float16");
    format.rule = rule;
    format.quotient = Quotient::Multiplied;
    format.elementsByUnrounded = true;
    format.cutsFraction = rule != ScaleRule::Threshold;
    if (rule == ScaleRule::Threshold)
        format.ties = Ties::AwayFromZero;
    return format;
}

/// llama.cpp's iq4_nl: always searched.
BlockFormat nonLinear()
{
    BlockFormat format = ggml("iq4_nl", "iq4-nl", ScaleRule::Signed);
    format.cutsFraction = false;
    format.search.kind = ScaleSearch::Kind::Weighted;
    return format;
}

/// llama.cpp's K-quants: super-blocks of 256, always searched.
BlockFormat superBlocks(const char* id, const char* element, std::uint64_t columns, int scaleBits)
{
    BlockFormat format = groupsOf(id, element, {Granularity::Kind::Group, 1, columns}, "llama.cpp");
    format.scales = &elementFormat("float16");
    format.rule = isSigned(format) ? ScaleRule::Signed : ScaleRule::Minimum;
    format.superBlock = SuperBlock{.scaleBits = scaleBits};
    format.search.kind = ScaleSearch::Kind::Weighted;
    return format;
}

std::vector<BlockFormat> listedFormats()
{
    const Granularity tensor{};
    const Granularity row{.kind = Granularity::Kind::Row};
    const auto group = [](std::uint64_t columns) {
        return Granularity{Granularity::Kind::Group, 1, columns};
    };
    const Granularity tile{Granularity::Kind::Tile, 128, 128};
    return {
        groupsOf("int8", "int8", tensor, "all"),
        groupsOf("int8-row", "int8", row, "all"),
        groupsOf("int8-g32", "int8", group(32), "MatMulNBits, torchao"),
        groupsOf("int4-row", "int4", row, "all"),
        groupsOf("int4-g128", "int4", group(128), "GPTQ, W4A16, torchao, ModelOpt"),
        groupsOf("int4-g32", "int4", group(32), "torchao, MatMulNBits, NNCF, ModelOpt"),
        groupsOf("uint4-g128", "uint4", group(128), "AWQ, W4A16, MatMulNBits"),
        groupsOf("uint4-g64", "uint4", group(64), "HQQ, NNCF, torchao"),
        groupsOf("fp8-e4m3", "fp8-e4m3", tensor, "all"),
        groupsOf("fp8-e4m3-row", "fp8-e4m3", row, "compressed-tensors, torchao, ModelOpt"),
        groupsOf("fp8-e4m3-g128", "fp8-e4m3", group(128), "DeepSeek (activations), torchao"),
        groupsOf("fp8-e4m3-b128x128", "fp8-e4m3", tile, "DeepSeek (weights), torchao, ModelOpt"),
        groupsOf("fp8-e5m2", "fp8-e5m2", tensor, "all"),
        groupsOf("fp8-e4m3fnuz", "fp8-e4m3fnuz", tensor, "AMD MI300"),
        groupsOf("fp8-e5m2fnuz", "fp8-e5m2fnuz", tensor, "AMD MI300"),
        mx("mxfp8-e4m3", "fp8-e4m3", "OCP MX: microxcaling, torchao, ModelOpt"),
        mx("mxfp8-e5m2", "fp8-e5m2", "OCP MX: microxcaling, torchao"),
        mx("mxfp6-e2m3", "fp6-e2m3", "OCP MX: microxcaling, torchao"),
        mx("mxfp6-e3m2", "fp6-e3m2", "OCP MX: microxcaling, torchao"),
        mx("mxfp4", "fp4-e2m1", "OCP MX: gpt-oss, Quark, torchao, ModelOpt"),
        mx("mxint8", "mxint8", "OCP MX: microxcaling"),
        nv("nvfp4", true, "ModelOpt, llm-compressor, torchao"),
        nv("nvfp4-1", false, "torchao without a tensor scale"),
        groupsOf("nf4-g64", "nf4", group(64), "bitsandbytes, NNCF, ModelOpt"),
        groupsOf("fp4-bitsandbytes-g64", "fp4-bitsandbytes", group(64), "bitsandbytes"),
        ggml("q8_0", "int8", ScaleRule::Threshold),
        ggml("q4_0", "int4", ScaleRule::Signed),
        ggml("q5_0", "int5", ScaleRule::Signed),
        ggml("q4_1", "uint4", ScaleRule::Minimum),
        ggml("q5_1", "uint5", ScaleRule::Minimum),
        nonLinear(),
        superBlocks("q2_k", "uint2", 16, 4),
        superBlocks("q3_k", "int3", 16, 6),
        superBlocks("q4_k", "uint4", 32, 6),
        superBlocks("q5_k", "uint5", 32, 6),
        superBlocks("q6_k", "int6", 16, 8)};
}

/// Formats of the first family have nothing to choose; the others' elements at any granularity.
bool isThreshold(const BlockFormat& format)
{
    return !format.isPowerOfTwo() && format.rule != ScaleRule::TwoLevel &&
           !format.elementsByUnrounded && !format.superBlock;
}

std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](unsigned char character) {
        return static_cast<char>(std::tolower(character));
    });
    return lower;
}

/// "int3-g64": an element format and a granularity; nothing where it is none.
std::optional<BlockFormat> composedFormat(const std::string& id)
{
    Granularity granularity;
    std::string element = id;
    for (const char* sharing : {"-g", "-b", "-row", "-channel", "-tensor"})
        if (const auto dash = id.rfind(sharing); dash != std::string::npos) {
            granularity = parseGranularity(std::string_view(id).substr(dash + 1), id);
            element = id.substr(0, dash);
        }
    for (const ElementFormat& format : elementFormats())
        if (format.id() == element &&
            (format.numbers().isInteger() || element.starts_with("fp") || element == "nf4"))
            return groupsOf(id.c_str(), element.c_str(), granularity, "");
    return std::nullopt;
}

BlockFormat formatOfId(const std::string& id)
{
    const auto& listed = blockFormats();
    if (const auto found = std::ranges::find(listed, id, &BlockFormat::id); found != listed.end())
        return *found;
    if (std::optional<BlockFormat> composed = composedFormat(id))
        return *composed;
    throw Error(Fault::Usage,
                "there is no number format {}; available: {}; and elements at a granularity, as "
                "int3-g64 or fp8-e4m3-b64x64",
                id, joinedText(listed, ", ", &BlockFormat::id));
}

void applySearch(BlockFormat& format, const Settings& settings)
{
    using Kind = ScaleSearch::Kind;
    ScaleSearch& search = format.search;
    search.kind = valueOf(searchWords, settings.text("search"));
    if (search.kind == Kind::Hqq) {
        format.zeroIsFloat = true;
        format.zeroInRange = false;
    }
    if (search.kind == Kind::Weighted)
        format.cutsFraction = false;
    if (search.kind == Kind::Shrink)
        search = {.kind = search.kind,
                  .norm = settings.number("norm"),
                  .grid = static_cast<int>(settings.number("grid")),
                  .maxShrink = settings.number("max-shrink"),
                  .expand = settings.number("expand"),
                  .patience = static_cast<int>(settings.number("patience"))};
    if (search.kind == Kind::Shrink || search.kind == Kind::Hqq)
        search.endsByTensor = settings.is("ends-by", "tensor");
}

/// Errors count by inputs in a search that has some.
void applyImportance(BlockFormat& format, const Settings& settings)
{
    using Kind = ScaleSearch::Kind;
    ScaleSearch& search = format.search;
    search.importance = valueOf(importanceWords, settings.text("importance"));
    const bool hasErrors =
        search.kind != Kind::None && search.kind != Kind::LeastSquares && search.kind != Kind::Hqq;
    if (search.importance != ScaleSearch::Importance::None && !hasErrors)
        throw Error(Fault::Usage,
                    "{}: importance is that of errors in a search; give search= another than {}",
                    format.id, settings.text("search"));
}

void applySettings(BlockFormat& format, const Settings& settings)
{
    const auto has = [&](std::string_view id) {
        return std::ranges::count(settings.entries(), id,
                                  &std::pair<std::string, std::string>::first) > 0;
    };
    if (has("rounding"))
        format.ties = valueOf(tieWords, settings.text("rounding"));
    if (has("scale-rule"))
        format.rule = valueOf(powerRules, settings.text("scale-rule"));
    if (has("divisor")) {
        if (settings.is("divisor", "signed"))
            format.rule = ScaleRule::Signed;
        else if (settings.is("divisor", "both-ends"))
            format.rule = ScaleRule::BothEnds;
        else if (settings.is("divisor", "qmax+0.5"))
            format.divisor += 0.5;
    }
    if (has("scales") && !settings.is("scales", "float32"))
        format.scales = &elementFormat(settings.text("scales"));
    if (has("zero-in-range"))
        format.zeroInRange = settings.is("zero-in-range", "yes");
    if (has("quotient"))
        format.quotient = valueOf(quotientWords, settings.text("quotient"));
    if (has("table") && settings.is("table", "modelopt"))
        format.element = &elementFormat("nf4-modelopt");
    if (has("elements-by"))
        format.elementsByUnrounded = settings.is("elements-by", "unrounded");
    if (has("zero-point"))
        format.zeroIsFloat = settings.is("zero-point", "float");
    if (has("search"))
        applySearch(format, settings);
    if (has("importance"))
        applyImportance(format, settings);
    if (has("levels"))
        format.isNarrow = settings.is("levels", "narrow");
    if (has("least-block-scale"))
        format.leastScale = settings.number("least-block-scale");
    if (has("tensor-maximum") && settings.is("tensor-maximum", "act-headroom"))
        format.headroom = HeadroomRule{.anchorPercentile = settings.number("anchor-percentile"),
                                       .upperPercentile = settings.number("upper-percentile"),
                                       .ratio = settings.number("headroom")};
    else if (has("tensor-maximum") && !settings.is("tensor-maximum", "max"))
        format.tensorMaximum = settings.number("tensor-maximum");
}

constexpr const char* importanceHelp =
    "What errors of a weight count by in the search: alike, the mean squares of the inputs that "
    "its "
    "layer multiplies with it, or their products within a block.";

constexpr const char* weightedHelp =
    "Scales from the largest magnitude alone, or of some near that the one with the least error "
    "weighted by the squares of the values, each refitted (llama.cpp).";

Parameter numberParameter(const char* id, const char* label, const char* help, double fallback,
                          double least, double greatest)
{
    return {.id = id,
            .label = label,
            .help = help,
            .fallback = numberText(fallback),
            .least = least,
            .greatest = greatest};
}

/// Searches that a format has, and what they need.
void addSearch(const BlockFormat& format, std::vector<Parameter>& parameters)
{
    std::vector<std::string> words{"none", "shrink"};
    const bool isAffine = format.rule == ScaleRule::Affine;
    if (isAffine)
        words.emplace_back("hqq");
    else
        words.emplace_back("multiplier");
    if (format.isPowerOfTwo() || format.rule == ScaleRule::TwoLevel)
        words.emplace_back("sweep");
    else if (!isAffine && format.element->numbers().isInteger())
        words.emplace_back("least-squares");
    if (format.rule == ScaleRule::TwoLevel)
        words.emplace_back("four-over-six");
    parameters.push_back(choiceParameter(
        "search", "Search",
        "Scales from the ends of a block alone, or of several the first with the least error.",
        std::move(words)));
    const auto number = [&](const char* id, const char* label, const char* help, double fallback,
                            double least, double greatest) {
        parameters.push_back(numberParameter(id, label, help, fallback, least, greatest));
    };
    number("norm", "Norm", "shrink: exponent of the errors that are added.", 2.4, 0.1, 16.0);
    number("grid", "Grid", "shrink: steps from the block's ends to 0.", 100.0, 2.0, 10000.0);
    number("max-shrink", "Max shrink", "shrink: the share of them that is tried.", 0.2, 0.01, 1.0);
    number("expand", "Expand", "shrink: factor of the ends at the first step.", 1.0, 0.1, 10.0);
    number("patience", "Patience", "shrink: steps without a gain that end it; 0: none do.", 5.0,
           0.0, 10000.0);
    parameters.push_back(
        choiceParameter("importance", "Importance", importanceHelp, {"none", "input", "hessian"}));
    parameters.push_back(choiceParameter(
        "ends-by", "Ends by",
        "shrink, hqq: whether each block ends its search, or all end together when none gains, as "
        "the tools have it.",
        {"block", "tensor"}));
}

}  // namespace

int BlockFormat::scaleBits() const
{
    const int own = superBlock ? superBlock->scaleBits : scales == nullptr ? 32 : scales->bits();
    const bool isTwice = rule == ScaleRule::Minimum || zeroIsFloat;
    return isTwice ? 2 * own : rule == ScaleRule::Affine ? own + element->bits() : own;
}

bool BlockFormat::fits(const MatrixShape& matrix) const
{
    return granularity.fits(matrix) && (!superBlock || matrix.length % superBlock->columns == 0);
}

double BlockFormat::effectiveBits(std::uint64_t values, std::uint64_t blocks) const
{
    if (values == 0)
        return 0.0;
    double shared = static_cast<double>(blocks) * scaleBits() + (hasTensorScale ? 32 : 0);
    if (superBlock) {
        const std::uint64_t superBlocks = values / superBlock->columns;
        shared += static_cast<double>(superBlocks) * scales->bits() *
                  (rule == ScaleRule::Minimum ? 2 : 1);
    }
    return element->bits() + shared / static_cast<double>(values);
}

std::string BlockFormat::scalesText() const
{
    std::string text = scales == nullptr ? "float32" : scales->id();
    if (superBlock)
        text = std::to_string(superBlock->scaleBits) + " bits, " + text + " of " +
               std::to_string(superBlock->columns);
    if (rule == ScaleRule::Affine)
        text += zeroIsFloat ? ", zero point likewise"
                            : ", zero point of " + std::to_string(element->bits()) + " bits";
    if (rule == ScaleRule::Minimum)
        text += ", minimum likewise";
    return hasTensorScale ? text + ", float32 of the tensor" : text;
}

const std::vector<BlockFormat>& blockFormats()
{
    static const std::vector<BlockFormat> formats = listedFormats();
    return formats;
}

std::vector<Parameter> formatParameters(const BlockFormat& format)
{
    std::vector<Parameter> parameters;
    const auto choice = [&](const char* id, const char* label, const char* help,
                            std::vector<std::string> words) {
        parameters.push_back(choiceParameter(id, label, help, std::move(words)));
    };
    if (format.elementsByUnrounded && format.rule == ScaleRule::Signed &&
        format.search.kind == ScaleSearch::Kind::None)
        choice("search", "Search", weightedHelp, {"none", "weighted"});
    const bool isOfGgml = format.superBlock || format.elementsByUnrounded;
    const bool isMad = format.superBlock && format.element->bits() < 4;
    if (isOfGgml && !isMad && (format.superBlock || format.rule == ScaleRule::Signed))
        choice("importance", "Importance", importanceHelp, {"none", "input"});
    if (!isThreshold(format) && !format.isPowerOfTwo() && format.rule != ScaleRule::TwoLevel)
        return parameters;
    if (format.rule != ScaleRule::Affine)
        choice("rounding", "Rounding", "Where a value halfway between two numbers goes.",
               {"half-even", "half-away", "half-down"});
    if (format.isPowerOfTwo())
        choice("scale-rule", "Scale rule", "How a power of two follows from the largest magnitude.",
               {"floor", "rceil", "even", "ceil"});
    if (isThreshold(format)) {
        choice("scales", "Scales", "How scales are stored.", {"float32", "float16", "bfloat16"});
        choice("quotient", "Quotient",
               "Whether values are divided by the scale, multiplied by its float32 inverse, or by "
               "V (1 / m), which is then what is stored.",
               {"divide", "multiply", "inverse"});
        if (format.rule == ScaleRule::Affine)
            choice("zero-in-range", "Zero in range", "Whether the range is widened to hold 0.",
                   {"yes", "no"});
        if (format.rule == ScaleRule::Affine)
            choice("zero-point", "Zero point",
                   "Whether it is a whole number, or as exact as the scale.", {"integer", "float"});
        if (isSigned(format) && format.element->numbers().isInteger())
            choice("divisor", "Divisor",
                   "What the largest magnitude is divided by; signed: the value of the largest "
                   "magnitude becomes the lowest integer, and the scale may be below 0; both-ends: "
                   "the least scale that clips neither end.",
                   {"qmax", "qmax+0.5", "signed", "both-ends"});
        if (isSigned(format) && format.element->numbers().isInteger())
            choice("levels", "Levels", "Whether the lowest integer is among them.",
                   {"full", "narrow"});
        if (format.element->id() == "nf4")
            choice("table", "Table", "QLoRA's numbers, or those rounded to four decimals.",
                   {"qlora", "modelopt"});
    }
    addSearch(format, parameters);
    if (format.rule != ScaleRule::TwoLevel)
        return parameters;
    choice("elements-by", "Elements by", "The block scale that elements are divided by.",
           {"rounded", "unrounded"});
    parameters.push_back(numberParameter("least-block-scale", "Least block scale",
                                         "Smaller block scales are raised to it.", leastE4m3, 0.0,
                                         448.0));
    if (!format.hasTensorScale)
        return parameters;
    const HeadroomRule usual;
    const auto number = [&](const char* id, const char* label, const char* help, double fallback,
                            double least, double greatest) {
        parameters.push_back(numberParameter(id, label, help, fallback, least, greatest));
    };
    parameters.push_back({.id = "tensor-maximum",
                          .label = "Tensor maximum",
                          .help =
                              "The largest magnitude, the headroom of the three parameters below "
                              "(for activations), or a number.",
                          .kind = Parameter::Kind::NumberOrWord,
                          .fallback = "max",
                          .least = 1e-30,
                          .greatest = 1e30,
                          .words = {"max", "act-headroom"}});
    number("headroom", "Headroom", "Tensor maximum over the anchor.", usual.ratio, 1e-6, 28672.0);
    number("anchor-percentile", "Anchor percentile", "Of the blocks' largest magnitudes.",
           usual.anchorPercentile, 1e-6, 100.0);
    number("upper-percentile", "Upper percentile", "Below which the tensor maximum never is.",
           usual.upperPercentile, 1e-6, 100.0);
    return parameters;
}

BlockFormat parseBlockFormat(std::string_view text)
{
    const auto colon = text.find(':');
    const std::string id = lowerCase(text.substr(0, colon));
    const auto& presets = formatPresets();
    if (const auto preset = std::ranges::find(presets, id, &FormatPreset::id);
        preset != presets.end()) {
        std::string whole(preset->format);
        if (colon != std::string_view::npos)
            whole += (whole.find(':') == std::string::npos ? ":" : ",") +
                     std::string(text.substr(colon + 1));
        return parseBlockFormat(whole);
    }
    BlockFormat format = formatOfId(id);
    if (colon == std::string_view::npos)
        return format;
    const std::vector<Parameter> parameters = formatParameters(format);
    const GivenSettings given = parseGivenSettings(text.substr(colon + 1), id);
    applySettings(format, Settings(parameters, given, id));
    for (const auto& [parameter, value] : given)
        format.id += (format.id == id ? ":" : ",") + parameter + "=" + value;
    return format;
}

std::string_view scaleRuleText(ScaleRule rule)
{
    switch (rule) {
    case ScaleRule::Threshold: return "threshold";
    case ScaleRule::Signed: return "signed";
    case ScaleRule::BothEnds: return "both-ends";
    case ScaleRule::Affine: return "affine";
    case ScaleRule::Minimum: return "minimum";
    case ScaleRule::Floor: return "floor";
    case ScaleRule::Rceil: return "rceil";
    case ScaleRule::Even: return "even";
    case ScaleRule::Ceil: return "ceil";
    case ScaleRule::TwoLevel: return "two-level";
    }
    return "threshold";
}

}  // namespace calibscope
