// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/improvement_file.h"

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <nlohmann/json.hpp>

#include <fstream>

namespace improvement_file_test {

using namespace calibscope;
using nlohmann::json;
using test::containsText;

TEST_CASE("a file of improvements reads back as it was written")
{
    const test::TemporaryFolder folder;
    const deploy::SavedImprovements saved{
        .heldOut = "last-half",
        .positions = 4096,
        .seed = 7,
        .dumps = {
            {.path = "d.h5",
             .sha256 = "aa",
             .decisionsSha256 = "bb",
             .layers = {{.layer = "y",
                         .path = "/activations/y",
                         .operands = {"/activations/x", "/weights/w"},
                         .isFloat = false,
                         .biasShift = {0.1, -1e-300, 0.0},
                         .division = {.alpha = 0.75,
                                      .factors = {1.0F, 0.1F, 63.9F},
                                      .fold = {"k", "b"},
                                      .ofMul = 5},
                         .rounding = {.integers = {-8, 7, 0},
                                      .quantization = {.scales = {0.1F},
                                                       .zeroPoints = {-1.0},
                                                       .axis = 1,
                                                       .group = 32,
                                                       .format = NumberFormat::integers(-8, 7)}}},
                        {.layer = "z",
                         .path = "/activations/z",
                         .operands = {"/activations/y", "/weights/v"},
                         .isFloat = true,
                         .biasShift = {}}}}}};
    std::ofstream(folder.file("f.json")) << deploy::improvementsJson(saved);
    CHECK(deploy::readImprovements(folder.file("f.json")) == saved);
    const json whole = json::parse(std::ifstream(folder.file("f.json")));
    for (const auto& [key, value] :
         {std::pair{"precision", json("fp4")}, std::pair{"bias_shift", json{0.1, 1e300, 0.0}}}) {
        json damaged = whole;
        damaged["dumps"][0]["layers"][0][key] = value;
        std::ofstream(folder.file("damaged.json")) << damaged;
        CHECK_THROWS_WITH(deploy::readImprovements(folder.file("damaged.json")),
                          containsText(key == std::string("precision")
                                           ? "neither int8 nor float"
                                           : "a shift of its bias beyond float32"));
    }
    json later = whole;
    CHECK(later["version"] == 4);
    later["version"] = 5;
    std::ofstream(folder.file("f.json")) << later;
    CHECK_THROWS_WITH(deploy::readImprovements(folder.file("f.json")),
                      containsText("is of version 5, and this Calibscope"));
}

}  // namespace improvement_file_test
