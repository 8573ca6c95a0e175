// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/name_parts.h"

#include "tests/support/catch.h"
#include "ui/theme/theme.h"

#include <QFontMetricsF>

#include <set>
#include <string>
#include <vector>

namespace name_parts_test {

using namespace calibscope;

/// The parts that are needed, between bars.
std::string neededOf(const std::vector<std::string_view>& names, std::string_view name,
                     NameParts::Need least = NameParts::Helpful)
{
    const QByteArray needs = NameParts(names).needs(name);
    std::string text;
    for (qsizetype part = 0; part < needs.size(); ++part)
        if (needs[part] >= least)
            text += std::string(text.empty() ? "" : "|") +
                    std::string(partsOf(name).at(static_cast<std::size_t>(part)));
    return text;
}

TEST_CASE("parts of names end at / . _ - : and spaces, several in a row stay together")
{
    using Parts = std::vector<std::string_view>;
    CHECK(partsOf("a/conv_1.out") == Parts{"a/", "conv_", "1.", "out"});
    CHECK(partsOf("c//d::e") == Parts{"c//", "d::", "e"});
    CHECK(partsOf("/a") == Parts{"/", "a"});
    CHECK(partsOf("a/") == Parts{"a/"});
    CHECK(partsOf("").empty());
}

TEST_CASE("the parts behind branches tell a name from all others")
{
    const std::vector<std::string_view> names = {"a/block0/u", "a/block1/u", "a/block1/v",
                                                 "l1.0.conv",  "l2.0.conv",  "stem"};
    CHECK(neededOf(names, "a/block0/u") == "block0/|u");
    CHECK(neededOf(names, "a/block1/u") == "block1/|u");
    CHECK(neededOf(names, "a/block1/v") == "v");
    CHECK(neededOf(names, "l1.0.conv") == "l1.");  // from the front
    CHECK(neededOf(names, "stem") == "stem");
}

TEST_CASE("names may go away, and all parts of another name are needed")
{
    std::vector<std::string> texts{"a/conv_1", "a/conv_2"};
    const NameParts parts(std::vector<std::string_view>(texts.begin(), texts.end()));
    texts.clear();
    CHECK(parts.needs("a/conv_2") ==
          QByteArray(2, NameParts::Spare) + QByteArray(1, NameParts::Essential));
    CHECK(parts.needs("b/conv_1") == QByteArray(3, NameParts::Essential));
    CHECK(parts.needs("").isEmpty());
}

TEST_CASE("names that end alike are told by what is before the end")
{
    const std::vector<std::string_view> names = {
        "conv_1_weights_fused_bn", "conv_12_weights_fused_bn", "dense_1_weights_fused_bn"};
    CHECK(neededOf(names, names[0]) == "conv_|1_");
    CHECK(neededOf(names, names[1]) == "12_");
    CHECK(neededOf(names, names[2]) == "dense_");
}

TEST_CASE("no two names of a list are shown alike by their needed parts")
{
    std::vector<std::string> all;
    for (const std::string stage : {"stage1/", "stage2/", "enc.stage1/"})
        for (const std::string block : {"block0/", "block1/bn_", "down_"})
            for (const std::string end : {"conv_s1", "conv_s2", "relu_s1", "s1"})
                all.push_back(stage + block + end);
    const std::vector<std::string_view> names(all.begin(), all.end());
    std::set<std::string> shown;
    for (const std::string_view name : names)
        shown.insert(neededOf(names, name));
    CHECK(shown.size() == names.size());
}

TEST_CASE("where there is less room the rarest parts are enough that no other name has together")
{
    std::vector<std::string> all;
    for (const std::string block : {"0", "1", "2", "3"})
        for (const std::string end : {"activation.Relu_output_0", "reparam_conv.Conv_output_0"})
            all.push_back("encoder." + block + "." + end);
    all.insert(all.end(),
               {"decoder.Gather_2_output_0", "decoder.decoder.1.Relu_output_0", "output"});
    const std::vector<std::string_view> names(all.begin(), all.end());
    const auto essential = [&](std::string_view name) {
        return neededOf(names, name, NameParts::Essential);
    };
    CHECK(essential("encoder.2.activation.Relu_output_0") == "2.|activation.");
    CHECK(essential("encoder.3.reparam_conv.Conv_output_0") == "3.|Conv_");
    CHECK(essential("decoder.Gather_2_output_0") == "2_");
    CHECK(essential("output") == "output");
    std::set<std::string> shown;
    for (const std::string_view name : names)
        shown.insert(essential(name));
    CHECK(shown.size() == names.size());
}

TEST_CASE("names that are ends of others, alike, odd or empty")
{
    const std::vector<std::string_view> names = {"b", "a/b", "x", "x", "", "/", "c//d"};
    CHECK(neededOf(names, "b") == "b");
    CHECK(neededOf(names, "a/b") == "a/");
    CHECK(neededOf(names, "x") == "x");
    CHECK(neededOf(names, "").empty());
    CHECK(neededOf(names, "/") == "/");
    CHECK(neededOf(names, "c//d") == "d");
    CHECK(neededOf({"a_b"}, "a_b") == "b");  // alone: its end will do
}

TEST_CASE("a name that does not fit loses whole parts, then letters, from the left")
{
    const QFontMetricsF metrics{codeFont()};  // letters of one width, above 1
    const QString name = "stage1/block0/conv_u_s1";
    const auto fitted = [&](const QString& room) {
        return elidedName(name, metrics, metrics.horizontalAdvance(room) + 1).toStdString();
    };
    CHECK(fitted(name) == name.toStdString());
    CHECK(fitted("…/block0/conv_u_s1") == "…/block0/conv_u_s1");
    CHECK(fitted("…/conv_u_s1") == "…/conv_u_s1");
    CHECK(fitted("…nv_u_s1") == "…nv_u_s1");
    CHECK(elidedName("batch_norm_13", metrics, metrics.horizontalAdvance("…norm_13") + 1) ==
          "…norm_13");
}

TEST_CASE("of a name that does not fit the parts that differ stay in sight, a common end does not")
{
    const QFontMetricsF metrics{codeFont()};  // letters of one width, above 1
    const auto fitted = [&](const QString& name, const QString& room,
                            std::initializer_list<qsizetype> needed,
                            std::initializer_list<qsizetype> helpful = {}) {
        const std::string bytes = name.toStdString();
        QByteArray needs(std::ssize(partsOf(bytes)), NameParts::Spare);
        for (const qsizetype part : needed)
            needs[part] = NameParts::Essential;
        for (const qsizetype part : helpful)
            needs[part] = NameParts::Helpful;
        return elidedName(name, metrics, metrics.horizontalAdvance(room) + 1, needs).toStdString();
    };
    const QString name = "stage1/block0/attention/conv_u";
    CHECK(fitted(name, name, {1}) == name.toStdString());
    CHECK(fitted(name, "…/block0/attention/conv_u", {1}) == "…/block0/attention/conv_u");
    CHECK(fitted(name, "block0/…/conv_u", {1}) == "stag…/block0/…u");
    CHECK(fitted(name, "…/block0/…", {1}) == "…/block0/…");
    CHECK(fitted(name, "…ck0/…", {1}) == "…ck0/…");
    CHECK(fitted("batch_norm_3.tmp_2", "batch_n…tmp_2", {4}) == "…norm_3.tmp_2");
    CHECK(fitted("layer10.0.conv1.weight", "layer10…weight", {0}) == "layer10…weight");
    CHECK(fitted("hardswish_30.tmp_0", "…wish_30.tmp_0", {1}) == "hards…30.tmp_0");
    CHECK(fitted("batch_normalization_17_weights_fused_bn", "..._weights_fused", {2}) ==
          "batc…17_…fused_bn");
    CHECK(fitted("batch_normalization_17_weights_fused_bn", "…17_…", {2}) == "…17_…");
    // What is helpful goes before anything of the essential ones does.
    const QString relu = "encoder.2.activation.Relu_output_0";
    CHECK(fitted(relu, "…2.activation.Relu_…0", {1, 2}, {3, 5}) == "encoder.2.activation…");
    CHECK(fitted(relu, "…2.activation…", {1, 2}, {3, 5}) == "…2.activation…");
    // The beginning before an end with helpful parts.
    CHECK(fitted("conv2d_472.tmp_0", "…472…0", {1}, {3}) == "…472…0");
    CHECK(fitted("conv2d_472.tmp_0", "con…472…", {1}, {3}) == "con…472…");
    CHECK(fitted("conv2d_472.tmp_0", "conv2d…472…0", {1}, {3}) == "conv2d_472…");
    CHECK(fitted(relu, "….activation…", {1, 2}, {3, 5}) == "….activation…");
}

TEST_CASE("of a name the part that differs from another one's is left, or all of it")
{
    CHECK(differingPart("block1/conv_new/out", "block1/conv_old/out") == "new/");
    CHECK(differingPart("model.conv1.weight", "conv1.weight") == "model.");
    CHECK(differingPart("conv1.weight", "model.conv1.weight") == "conv1.weight");
    CHECK(differingPart("a", "b") == "a");
}

}  // namespace name_parts_test
