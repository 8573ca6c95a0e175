// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/digest.h"
#include "core/collect/encode_tensor.h"
#include "core/dump/dump_file.h"
#include "core/formats/format_presets.h"
#include "core/layers/weight_inputs.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace formats_test {

using namespace calibscope;
using nlohmann::json;

const std::string root = CALIBSCOPE_SOURCE_DIR;

/// A recorded tensor as rows.
struct Matrix
{
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::vector<float> values = {};
};

std::vector<float> transposed(const Matrix& matrix)
{
    std::vector<float> values;
    for (std::uint64_t column = 0; column < matrix.columns; ++column)
        for (std::uint64_t row = 0; row < matrix.rows; ++row)
            values.push_back(matrix.values[row * matrix.columns + column]);
    return values;
}

/// "laplace", "format_operands:/weights/layer.weight", "sample.h5:/weights/linear_77.w_0"; nothing
/// where the repository does not hold it.
std::optional<Matrix> matrixOf(const std::string& input, const std::string& rows)
{
    const auto colon = input.find(':');
    const std::string name = input.substr(0, colon);
    const std::string golden = root + "/tests/golden/";
    if (name == "format_operands" && colon == std::string::npos)
        return matrixOf(input + ":/weights/layer.weight", rows);
    const std::string file = name == "sample.h5"    ? root + "/resources/sample/" + name
                             : name == "ocr_det.h5" ? golden + "format_conv2d_415.h5"  // of it
                                                    : golden + name + ".h5";
    if (!std::filesystem::exists(file))
        return std::nullopt;
    const auto dump = DumpFile::open(file);
    const std::size_t index =
        colon == std::string::npos ? 0 : dump->indexOf(input.substr(colon + 1));
    const std::vector<std::uint64_t> shape = dump->tensors()[index].shape;
    Matrix matrix{.rows = 1, .columns = 512, .values = readAll(dump->source(index))};
    if (rows != "of 512 consecutive values")
        matrix.columns = matrix.values.size() / (shape.size() < 2 ? 1 : shape[0]);
    matrix.rows = matrix.values.size() / matrix.columns;
    if (rows.starts_with("columns of"))
        matrix = {matrix.columns, matrix.rows, transposed(matrix)};
    return matrix;
}

/// The first 16 digits, as the golden file has them.
std::string digestOf(std::string_view bytes)
{
    std::string digits;
    for (const char byte : sha256(bytes).substr(0, 8)) {
        constexpr std::string_view hexadecimal = "0123456789abcdef";
        digits += hexadecimal[static_cast<unsigned char>(byte) >> 4U];
        digits += hexadecimal[static_cast<unsigned char>(byte) & 15U];
    }
    return digits;
}

void appendFloat(std::string& bytes, float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value == 0.0F ? 0.0F : value);
    for (unsigned byte = 0; byte < 4; ++byte)
        bytes += static_cast<char>(bits >> (8 * byte) & 255U);
}

/// What a format makes of a matrix, as digests.
struct Coded
{
    std::string decoded;
    std::string decodedNan;   ///< with NaN for blocks of zeros
    std::string scales;       ///< bytes, or float32
    std::string scaleValues;  ///< as float32 in any case
    FormatErrors errors;
};

/// Of the values as they lie in memory, -0 as 0; one byte after the other costs minutes.
std::string digestOf(std::vector<float> values)
{
    static_assert(std::endian::native == std::endian::little);
    std::ranges::replace(values, -0.0F, 0.0F);
    return digestOf(std::string_view(reinterpret_cast<const char*>(values.data()),
                                     values.size() * sizeof(float)));
}

/// Inputs of format_operands' weight, of rows of that length: row after row joined.
InputProducts operandInputs(std::uint64_t columns)
{
    const auto dump = DumpFile::open(root + "/tests/golden/format_operands.h5");
    const TensorInfo& weight = dump->tensors()[dump->indexOf("/weights/layer.weight")];
    InputProducts inputs = layers::weightInputs(*dump, weight, false);
    const std::vector<float> squares = inputs.squares;
    while (inputs.squares.size() < columns)
        inputs.squares.insert(inputs.squares.end(), squares.begin(), squares.end());
    inputs.rowsPerGroup *= squares.size();
    inputs.columns = columns;
    return inputs;
}

Coded coded(const Matrix& matrix, const BlockFormat& format, std::optional<int> axis = {})
{
    std::optional<InputProducts> inputs;
    if (format.search.importance == ScaleSearch::Importance::Input)
        inputs = operandInputs(matrix.columns);
    TensorInfo info;
    info.shape = {matrix.rows, matrix.columns};
    std::vector<float> decoded(matrix.values.size());
    std::vector<std::uint64_t> blocks(matrix.values.size());
    std::map<std::uint64_t, BlockScale> scales;
    std::set<std::uint64_t> notZero;
    Coded result;
    result.errors = encodeTensor(
        sourceOf(info, matrix.values), format, matrixShape(info, axis), {},
        [&](const BlockPart& part) {
            scales.emplace(part.block, part.scale);
            for (std::size_t i = 0; i < part.values.size(); ++i) {
                decoded[part.first + i * part.stride] = part.decoded[i];
                blocks[part.first + i * part.stride] = part.block;
                if (part.values[i] != 0.0F)
                    notZero.insert(part.block);
            }
        },
        inputs ? &*inputs : nullptr);
    result.decoded = digestOf(decoded);
    for (std::size_t i = 0; result.errors.zeroBlocks > 0 && i < decoded.size(); ++i)
        if (!notZero.contains(blocks[i]))
            decoded[i] = std::bit_cast<float>(0x7fc00000U);
    result.decodedNan = digestOf(decoded);
    std::string scaleBytes;
    std::string scaleValues;
    for (const auto& [block, scale] : scales) {
        appendFloat(scaleValues, scale.scale);
        if (format.rule == ScaleRule::Minimum) {
            appendFloat(scaleBytes, scale.scale);
            appendFloat(scaleBytes, format.scales->decode(scale.pattern >> 16U));
        } else if (format.scales != nullptr && format.scales->bits() == 8)
            scaleBytes += static_cast<char>(scale.pattern);
        else
            appendFloat(scaleBytes, scale.scale);
    }
    result.scales = digestOf(scaleBytes);
    result.scaleValues = digestOf(scaleValues);
    return result;
}

std::string optionOf(const json& options, const char* key)
{
    const auto found = options.find(key);
    if (found == options.end())
        return {};
    return found->is_string() ? found->get<std::string>() : found->dump();
}

/// Parameters of a format as they are added.
struct FormatText
{
    std::string id;
    std::string parameters;

    void add(const std::string& parameter)
    {
        parameters += (parameters.empty() ? ":" : ",") + parameter;
    }
};

std::string granularityOf(const json& options)
{
    const std::string granularity = optionOf(options, "granularity");
    if (granularity.starts_with("row"))
        return "-row";
    if (granularity.starts_with("128 x 128"))
        return "-b128x128";
    return granularity == "1 x 128" ? "-g128" : "";
}

void addMx(FormatText& format, const std::string& tool, const std::string& function,
           const json& options)
{
    const std::string rule = optionOf(options, "scale_rule");
    const bool isRule = rule == "floor" || rule == "even" || rule == "ceil";
    format.add("scale-rule=" + (isRule                     ? rule
                                : tool == "ggml"           ? "floor"
                                : tool == "llm-compressor" ? "even"
                                                           : "rceil"));
    if (tool == "microxcaling" && optionOf(options, "round") == "nearest")
        format.add("rounding=half-away");
    if (function == "MXFP4QTensor.quantize" || tool == "ggml")
        format.add("rounding=half-down");
}

void addNv(FormatText& format, const std::string& tool, const json& options)
{
    if (optionOf(options, "levels") == "1" || tool == "ggml")
        format.id = "nvfp4-1";
    if (options.contains("scale") || options.contains("candidates"))
        format.add("search=sweep");
    if (tool == "torchao")
        format.add("least-block-scale=0.015625");
    if (tool == "nncf")
        format.add("elements-by=unrounded");
    if (tool == "nncf" || tool == "ggml")
        format.add("least-block-scale=0");
}

void addIntegers(FormatText& format, const std::string& tool, const std::string& function,
                 const json& options)
{
    const std::string divisor = optionOf(options, "divisor");
    const bool isTurned = divisor.starts_with("signed") || format.id.ends_with("signed scale") ||
                          format.id == "int8 rows" || optionOf(options, "symmetric") == "true";
    if (format.id.ends_with(" rows"))
        format.id = format.id.substr(0, format.id.find(' ')) + "-row";
    format.id = format.id.substr(0, format.id.find(','));
    if (options.contains("affine"))
        format.id = "u" + format.id;
    if (tool == "gptq")  // the same numbers, counted from 0
        format.id = format.id.substr(1);
    if (divisor == "7.5" || divisor == "127.5")
        format.add("divisor=qmax+0.5");
    if (isTurned)
        format.add("divisor=signed");
    if (tool == "llm-awq" ||
        (options.contains("zero in range") && !options["zero in range"].get<bool>()))
        format.add("zero-in-range=no");
    if (tool == "torchao" && format.id.starts_with("int"))
        format.add("quotient=multiply");
    if (function.ends_with("NO_CLIPPING_ERR"))
        format.add("divisor=both-ends");
    if (format.id.starts_with("int") &&
        (tool == "gptq" || options.contains("preset") || function == "observer imatrix_mse"))
        format.add("divisor=qmax+0.5");
    if (function == "calib.MseCalibrator")
        format.add("quotient=inverse");
    if (function == "INT4QTensor.quantize" || function == "tensor_quant.scaled_e4m3_impl")
        format.add("quotient=inverse");
}

void addSearch(FormatText& format, const std::string& tool, const std::string& function,
               const json& options)
{
    if (function.find("observer") != std::string::npos || optionOf(options, "mse") == "true") {
        format.add("search=shrink");
        for (const auto& [ours, theirs] :
             {std::pair("norm", "norm"), std::pair("grid", "grid"),
              std::pair("max-shrink", "maxshrink"), std::pair("expand", "expand")})
            if (options.contains(theirs))
                format.add(std::string(ours) + "=" + optionOf(options, theirs));
        if (options.contains("expand"))
            format.add("max-shrink=0.556,patience=0");
        format.add(tool == "gptq" ? "patience=0" : "ends-by=tensor");
    }
    if (options.contains("importance"))
        format.add(tool == "ggml" && format.id.ends_with("_0") ? "search=weighted,importance=input"
                                                               : "importance=input");
    if (function == "calib.MseCalibrator")
        format.add("search=multiplier");
    if (function == "calib.MseCalibrator" && options.contains("levels"))
        format.add("levels=narrow");
    if (function.ends_with("scale_only_hqq"))
        format.add("search=least-squares");
    else if (function.find("hqq") != std::string::npos || function.starts_with("HQQ") ||
             optionOf(options, "optimize") == "true")
        format.add("search=hqq,ends-by=tensor");
    else if (tool == "hqq")
        format.add("zero-point=float,zero-in-range=no");
}

/// What answers a function of a tool under its options.
std::string formatFor(const std::string& tool, const std::string& function, const json& options)
{
    FormatText format{optionOf(options, "format") + granularityOf(options), ""};
    if (format.id == "nvfp4-g16")
        format.id = "nvfp4";
    if (format.id.starts_with("mx"))
        addMx(format, tool, function, options);
    else if (format.id == "nvfp4")
        addNv(format, tool, options);
    else if (function == "NF4QTensor.quantize")
        format.add("table=modelopt");
    else if (format.id.starts_with("fp4 (bitsandbytes"))
        format.id = "fp4-bitsandbytes-g64";
    else
        addIntegers(format, tool, function, options);
    addSearch(format, tool, function, options);
    return format.id + format.parameters;
}

/// Why what a function computes is no format and rule of ours; empty: it is one. The first of these
/// parts that its text holds tells.
std::string outOfReach(const std::string& text)
{
    static const std::vector<std::pair<const char*, const char*>> reasons{
        {"autoawq", "a layer's output decides"},
        {"awq_", "a layer's output decides"},
        {"AWQ", "a layer's output decides"},
        {"mooth", "a layer's output decides"},
        {"fasterquant", "a layer's output decides"},
        {"np.std", "a scale from the standard deviation"},

        {"nested", "scales that are quantized again"},
        {"float8_e8m0fnu", "a cast to scales"}};
    for (const auto& [part, reason] : reasons)
        if (text.find(part) != std::string::npos)
            return reason;
    return {};
}

/// Why a tool's numbers are others, by a part of its text: where notes on its code tell, and "not
/// traced" where nothing but the difference is known.
std::string otherArithmetic(const std::string& text)
{
    static const std::vector<std::pair<const char*, const char*>> reasons{
        {"imatrix_mse {\"format\":\"nvfp4", "2688 / A is stored and divided by"},
        {"NVFP4A16", "2688 / A is stored and divided by"},
        {"nncf weight_lowering.do_float", "rounds elements twice, by way of float16 or unrounded"},
        {"int8-g32", "some values differ, not traced"},
        {"calib.MseCalibrator {\"format\":\"fp8", "values are equal, scales are reported as m / V"},
        {"calib.MseCalibrator", "quotients are 7 / m, not 7 (1 / m); scales are reported as m"},
        {"hqq Quantizer", "the step that ends the search is taken back, or groups cross rows"},
        {"affine_hqq", "a block of one value has another scale"},
        {"HQQWeightOnly", "short groups are filled up with zeros"},
        {"find_params", "without a value below 0 half of the integers are unused"},
        {"ASYM", "one input differs, not traced"},
        {"EVEN\"} on scale_probes", "rounding overflows at the largest exponent"},
        {"nncf weight_lowering.do_integer", "another sign of the scale, a range of at least 2^-23"},
        {"llm-awq", "a range of at least 1e-5"},
        {"_quantize_affine_float8", "a row of zeros becomes NaN"},
        {"INT4QTensor", "groups of the flattened tensor, a scale of zeros"},
        {"scaled_e4m3_impl", "values are equal or of zeros, scales are told as m / V"},
        {"NF4QTensor", "groups of the flattened tensor, scales in another shape"},
        {"quantize_4bit", "groups of the flattened tensor"},
        {"MXFP4QTensor", "log2 in float32, of the flattened tensor"},
        {"_shared_exponents", "log2 in float32"},
        {"generate_mx_scales", "one border for all elements"},
        {"MXFP", "log2 in float32"},
        {"calculate_float_quantization", "the quotient is at least 2^-23"},
        {"ggml_quantize_chunk {\"block\":64", "blocks of 64 with a rule of their own, not traced"}};
    for (const auto& [part, reason] : reasons)
        if (text.find(part) != std::string::npos)
            return reason;
    return {};
}

json golden()
{
    std::ifstream file(root + "/tests/golden/formats.json");
    return json::parse(file);
}

float floatOf(const json& number)
{
    if (number.is_number())
        return static_cast<float>(number.get<double>());
    const std::string text = number;
    constexpr float inf = std::numeric_limits<float>::infinity();
    return text == "-0"     ? -0.0F
           : text == "inf"  ? inf
           : text == "-inf" ? -inf
                            : std::numeric_limits<float>::quiet_NaN();
}

/// One result of a tool and how ours compares; without a reason they are equal.
struct Verdict
{
    std::string tool;
    std::string text;
    std::string reason;
    bool isExplained = false;
    std::string format = {};  ///< of parseBlockFormat(), where one answers
};

/// Runs results through the formats.
class Comparison
{
public:
    explicit Comparison(json golden) : m_golden(std::move(golden)) {}

    std::vector<Verdict> verdicts()
    {
        std::vector<Verdict> all;
        for (const json& group : m_golden["groups"])
            for (const json& entry : group["results"])
                all.push_back(verdictOn(group, entry));
        return all;
    }

private:
    Verdict verdictOn(const json& group, const json& entry)
    {
        Verdict verdict{.tool = group["tool"]};
        const std::string function = group["function"];
        const std::string input = entry["input"];
        verdict.text =
            verdict.tool + " " + function + " " + group["options"].dump() + " on " + input;
        verdict.reason = outOfReach(verdict.text);
        verdict.isExplained = !verdict.reason.empty();
        if (verdict.reason.empty() && !input.starts_with("rounding.") &&
            input != "scale_probes.amax" && !matrixOf(input, "")) {
            verdict.reason = "an input that is not in the repository";
            verdict.isExplained = true;
        }
        if (verdict.reason.empty())
            verdict.reason = input.starts_with("rounding.")
                                 ? differenceOfCasts(group["options"]["format"], entry)
                             : input == "scale_probes.amax" ? differenceOfProbes(group, entry)
                             : entry.contains("amax")       ? differenceOfHeadroom(group, entry)
                             : entry.contains("rows") && entry["rows"].is_array()
                                 ? differenceOfRows(group, entry)
                                 : differenceOf(group, entry);
        if (verdict.reason.empty() && group["options"].contains("format") &&
            (entry.contains("dequantized_sha256") || entry.contains("weight_sha256")))
            verdict.format = formatFor(verdict.tool, function, group["options"]);
        if (!verdict.reason.empty() && !verdict.isExplained)
            explain(verdict);
        return verdict;
    }

    static void explain(Verdict& verdict)
    {
        verdict.isExplained = verdict.reason.starts_with("of ");
        if (const std::string other = otherArithmetic(verdict.text);
            !verdict.isExplained && !other.empty()) {
            verdict.reason = other;
            verdict.isExplained = true;
        }
    }

    /// A cast under one of the rules for ties and for what lies beyond.
    std::string differenceOfCasts(const std::string& id, const json& entry) const
    {
        if (!entry.contains("equal_to_ml_dtypes"))
            return "of no cast: it is refused";
        const json& probes = m_golden["rounding"][id];
        const ElementFormat& format = elementFormat(id);
        for (const Ties ties : {Ties::ToEven, Ties::AwayFromZero, Ties::TowardsZero})
            for (const Overflow overflow : {Overflow::Saturate, Overflow::NotFinite}) {
                std::map<float, float> differs;
                for (const json& pair : entry["differs"])
                    differs[floatOf(pair[0])] = floatOf(pair[1]);
                bool isEqual = true;
                for (std::size_t i = 0; i < probes["x"].size(); ++i) {
                    const float x = floatOf(probes["x"][i]);
                    const auto other = differs.find(x);
                    const float expected = other == differs.end() || std::isnan(x)
                                               ? floatOf(probes["ml_dtypes"][i])
                                               : other->second;
                    const float ours = format.decode(format.encode(x, ties, overflow));
                    isEqual =
                        isEqual && (ours == expected ||
                                    (std::isnan(ours) && std::isnan(expected)) || std::isnan(x));
                }
                if (isEqual)
                    return {};
            }
        return "of casts: no rule for ties and for what lies beyond gives all probes";
    }

    /// Bytes of scales of single magnitudes; what is not finite has no scale of ours.
    std::string differenceOfProbes(const json& group, const json& entry) const
    {
        const std::string text = group["options"]["rule"];
        const std::string rule = text.starts_with("FLOOR") || text.starts_with("floor")  ? "floor"
                                 : text.starts_with("EVEN") || text.starts_with("round") ? "even"
                                 : text.starts_with("CEIL")                              ? "ceil"
                                                                                         : "rceil";
        const BlockFormat format =
            parseBlockFormat(group["options"]["format"].get<std::string>() + ":scale-rule=" + rule);
        const json& probes = m_golden["scale_probes"]["amax"];
        for (std::size_t i = 0; i < probes.size(); ++i) {
            const float largest = floatOf(probes[i]);
            BlockPeak peak;
            peak.add(std::vector<float>{largest});
            if (std::isfinite(largest) &&
                blockScale(format, peak, 1.0F).pattern != entry["bytes"][i].get<unsigned>())
                return "the byte of " + probes[i].dump() + " differs";
        }
        return {};
    }

    std::string differenceOfRows(const json& group, const json& entry)
    {
        const std::string input = entry["input"];
        const Matrix whole = *matrixOf(input, "");
        const BlockFormat format =
            parseBlockFormat(formatFor(group["tool"], group["function"], group["options"]));
        std::size_t equal = 0;
        for (std::size_t row = 0; row < whole.rows; ++row) {
            const auto first =
                whole.values.begin() + static_cast<std::ptrdiff_t>(row * whole.columns);
            const Matrix one{
                1, whole.columns, {first, first + static_cast<std::ptrdiff_t>(whole.columns)}};
            const auto digest = entry["rows"][row].find("dequantized_sha256");
            equal += digest != entry["rows"][row].end() &&
                     coded(one, format).decoded == digest->get<std::string>();
        }
        if (equal == whole.rows)
            return {};
        if (input == "format_nonfinite")
            return "of NaN and infinities: they are left out, where the tool spoils the block";
        return "of odd blocks: " + std::to_string(equal) + " rows of " +
               std::to_string(whole.rows) + " are equal";
    }

    /// The maximum that a tensor's scale is made of.
    static std::string differenceOfHeadroom(const json& group, const json& entry)
    {
        const json& options = group["options"];
        const Matrix matrix = *matrixOf(entry["input"], entry["rows"]);
        const BlockFormat format = parseBlockFormat(
            "nvfp4:tensor-maximum=act-headroom,headroom=" + optionOf(options, "rho") +
            ",anchor-percentile=" + optionOf(options, "anchor_percentile") +
            ",upper-percentile=" + optionOf(options, "upper_percentile"));
        TensorInfo info;
        info.shape = {matrix.rows, matrix.columns};
        const float ours =
            encodeTensor(sourceOf(info, matrix.values), format, matrixShape(info)).tensorScale;
        return ours == floatOf(entry["amax"]) / 2688.0F ? "" : "the maximum differs";
    }

    const Coded& codedOf(const json& entry, const std::string& id, std::optional<int> axis,
                         std::uint64_t columns)
    {
        const std::string key = entry["input"].get<std::string>() +
                                entry["rows"].get<std::string>() + (axis ? "0" : "") +
                                (columns > 0 ? std::to_string(columns) : "");
        if (!m_matrices.contains(key))
            m_matrices[key] = *matrixOf(entry["input"], entry["rows"]);
        if (Matrix& matrix = m_matrices[key]; columns > 0)
            matrix = {matrix.values.size() / columns, columns, std::move(matrix.values)};
        if (!m_coded.contains(key + id))
            m_coded[key + id] = coded(m_matrices[key], parseBlockFormat(id), axis);
        return m_coded[key + id];
    }

    /// Steps of a search that follow from sums of float32, in the order of a vector unit, and end in
    /// another last place: then errors agree, to 1e-5.
    static bool isSearchAlike(const json& entry, const std::string& id, const FormatErrors& ours)
    {
        if (!entry["mse"].is_number() || (id.find("search=hqq") == std::string::npos &&
                                          id.find("search=least-squares") == std::string::npos &&
                                          id.find("zero-point=float") == std::string::npos))
            return false;
        const double theirs = entry["mse"];
        const double mse = (ours.sums.squaredRounding + ours.sums.squaredClipping) /
                           static_cast<double>(ours.sums.count);
        return std::abs(mse - theirs) <= 1e-5 * theirs;
    }

    std::string differenceOf(const json& group, const json& entry)
    {
        const std::string id = formatFor(group["tool"], group["function"], group["options"]);
        const bool isAcross = optionOf(group["options"], "axis") == "0";
        const Coded& ours = codedOf(entry, id, isAcross ? std::optional(0) : std::nullopt,
                                    group["options"].value("row_length", std::uint64_t{0}));
        const bool hasZeroBlocks = ours.errors.zeroBlocks > 0;
        if (entry.value("weight_sha256", "") == ours.decoded)
            return {};
        if (entry.value("dequantized_sha256", "") != ours.decoded)
            return hasZeroBlocks && !entry["mse"].is_number() ? "of zeros: the tool gives NaN"
                   : isSearchAlike(entry, id, ours.errors)
                       ? "of a search: the mean squared error is equal, sums are in another order"
                       : "values of " + id + " differ";
        if (entry.contains("tensor_scale") &&
            floatOf(entry["tensor_scale"]) != ours.errors.tensorScale)
            return hasZeroBlocks ? "of zeros: the tensor's scale is another"
                                 : "the tensor's scale differs";
        if (!entry.contains("scales_sha256") || parseBlockFormat(id).superBlock ||
            entry["scales_sha256"] == ours.scales || entry["scales_sha256"] == ours.scaleValues)
            return {};
        return hasZeroBlocks ? "of zeros: values are equal, the scale of such a block is another"
                             : "scales of " + id + " differ";
    }

    json m_golden;
    std::map<std::string, Matrix> m_matrices;
    std::map<std::string, Coded> m_coded;
};

/// The results that are reproduced, which may only become more.
constexpr std::size_t reproducedBefore = 1502;

TEST_CASE("what other tools give under number formats, but for those listed with a reason")
{
    const std::vector<Verdict> verdicts = Comparison(golden()).verdicts();
    std::map<std::string, std::pair<std::size_t, std::size_t>> tools;
    std::map<std::string, std::size_t> reasons;
    std::size_t reproduced = 0;
    std::set<std::pair<std::string, std::string>> formats;
    for (const Verdict& verdict : verdicts) {
        auto& [equal, all] = tools[verdict.tool];
        ++all;
        equal += verdict.reason.empty() ? 1U : 0U;
        reproduced += verdict.reason.empty() ? 1U : 0U;
        formats.emplace(verdict.tool, verdict.format);
        if (!verdict.reason.empty())
            ++reasons[verdict.reason];
        INFO(verdict.text << ": " << verdict.reason);
        CHECK((verdict.reason.empty() || verdict.isExplained));
        if (verdict.tool == "reference")  // the definitions of the documentation, in NumPy
            CHECK((verdict.reason.empty() || verdict.reason.starts_with("a ") ||
                   verdict.reason.starts_with("an input")));
    }
    for (const auto& [tool, count] : tools)
        std::cout << "  " << tool << ": reproduced " << count.first << " of " << count.second
                  << "\n";
    for (const auto& [reason, count] : reasons)
        std::cout << "  not reproduced: " << count << ": " << reason << "\n";
    std::cout << "reproduced " << reproduced << " of " << verdicts.size() << "\n";
    for (const FormatPreset& preset : formatPresets()) {
        INFO(preset.id);
        CHECK(formats.contains({std::string(preset.tool), std::string(preset.format)}));
    }
    CHECK(verdicts.size() == 2006);
    CHECK(reproduced >= reproducedBefore);
}

}  // namespace formats_test
