// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/peers/peer_table.h"

#include <cmath>

namespace calibscope::test {

namespace {

/// The tool's ends are what its least and greatest integer stand for; its offset is the least one
/// where 0 stands for 0. It computes the greatest value in another order.
std::string isEncoding(const Answer& answer, const nlohmann::json& result)
{
    constexpr double lastDigits = 1e-6;  // of float32, where the tool keeps the ends in it
    const Quantizer& quantizer = answer.whole.quantizer;
    for (const std::string& difference :
         {sameNumber("delta", quantizer.scale, result.at("delta")),
          sameNumber("offset", quantizer.lowLevel - quantizer.zeroPoint, result.at("offset")),
          near("min", quantizer.value(quantizer.lowLevel), result.at("min"), lastDigits),
          near("max", quantizer.value(quantizer.highLevel), result.at("max"), lastDigits)})
        if (!difference.empty())
            return difference;
    return {};
}

/// "aimet-tf-enhanced-symmetric-strict" for the method tf_enhanced in the mode symmetric_strict.
std::string presetOf(std::string method, std::string mode)
{
    for (std::string* words : {&method, &mode})
        for (char& letter : *words)
            letter = letter == '_' ? '-' : letter;
    return "aimet-" + method + "-" + mode;
}

PeerRow aimetRow(const char* method, const char* mode)
{
    return {.part = "results",
            .method = method,
            .settings = {{"mode", mode}},
            .preset = presetOf(method, mode),
            .check = isEncoding};
}

}  // namespace

Peer aimetPeer()
{
    Peer peer{.id = "aimet", .rows = {}};
    constexpr const char* zeros =
        "to a tensor of zeros the tool gives the scale 2 / 255 and the level -128 in this mode "
        "too, whose levels begin at -127";
    for (const char* mode : {"asymmetric", "symmetric", "symmetric_strict"}) {
        for (const char* method : {"tf", "tf_enhanced", "mse", "entropy"})
            peer.rows.push_back(aimetRow(method, mode));
        for (const auto& [percentile, alpha] :
             {std::pair(99.9, "99.9"), std::pair(99.99, "99.99"), std::pair(100.0, "100")}) {
            PeerRow row = aimetRow("percentile", mode);
            row.settings["percentile"] = percentile;
            row.further = {{"alpha", alpha}};
            peer.rows.push_back(row);
        }
    }
    for (PeerRow& row : peer.rows)
        if (row.preset == "aimet-tf-enhanced-symmetric-strict")
            row.notReproducible = {{"all_zero", zeros}};
    return peer;
}

}  // namespace calibscope::test
