// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/codec.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/protocol/codec/values.h"
#include "tests/protocol/some_messages.h"
#include "tests/support/catch.h"

#include <random>
#include <string>
#include <vector>

namespace codec_damage_test {

using namespace calibscope;
using namespace calibscope::protocol;
using namespace calibscope::test;

TEST_CASE("a missing member is an error that names it")
{
    Json json = encode(someView());
    json["profile"]["moments"].erase("sum");
    CHECK_THROWS_WITH((void)decode<TensorView>(json),
                      containsText("content: profile: moments: sum: is missing"));
}

TEST_CASE("what an older side does not tell is as in a new value, where that makes up no number")
{
    Json asked = encode(StripRequest{.tensor = {.file = "a.h5"}, .columns = 7});
    asked.erase("columns");
    asked.erase("rows");
    const auto request = decode<StripRequest>(asked);
    CHECK(request.columns == StripRequest{}.columns);
    CHECK(request.rows == StripRequest{}.rows);
    asked.erase("tensor");  // what it is about
    CHECK_THROWS_WITH((void)decode<StripRequest>(asked), containsText("tensor: is missing"));
    CHECK_THROWS_WITH((void)decode<OpenRequest>(Json::object()), containsText("path: is missing"));
    CHECK(decode<Hello>({{"host", "h"}}).host == "h");
    Json json = encode(someView());
    json.erase("typeOffer");
    json["outcomes"][0].erase("problem");
    json["outcomes"][0].erase("channelTraces");
    const TensorView view = decode<TensorView>(json);
    CHECK_FALSE(view.typeOffer);
    CHECK(view.outcomes[0].problem.empty());
    CHECK(view.outcomes[0].channelTraces.empty());
    json["notYetInvented"] = 3;
    CHECK_NOTHROW(decode<TensorView>(json));
    CHECK_THROWS_WITH((void)decode<Hello>(Json::array()), containsText("is not an object"));
    CHECK_THROWS_WITH((void)decode<StripRequest>(Json(3)), containsText("is not an object"));
}

TEST_CASE("a folder's page holds names of its own, no more than it tells of")
{
    const FolderPage page{.path = "/d", .entries = {{.name = "a.h5"}}, .total = 1};
    CHECK(decode<FolderPage>(encode(page)).entries[0].name == "a.h5");
    Json json = encode(page);
    json["entries"][0]["name"] = "../a.h5";
    CHECK_THROWS_WITH((void)decode<FolderPage>(json), containsText("in another folder"));
    json = encode(page);
    json["total"] = 0U;
    CHECK_THROWS_WITH((void)decode<FolderPage>(json), containsText("more entries"));
}

TEST_CASE("promises that readers rely on are checked")
{
    const auto refuses = [](const Json& json, const std::string& sentence) {
        CHECK_THROWS_WITH((void)decode<TensorView>(json), containsText(sentence));
    };
    const Json good = encode(someView());
    Json json = good;
    json["outcomes"][0]["curve"]["chosen"] = 3;
    refuses(json, "names a point");
    json = good;
    json["outcomes"][0]["curve"]["runnerUp"] = 3;
    refuses(json, "names a point");
    json = good;
    json["outcomes"][0]["trace"]["error"] = json["outcomes"][0]["curve"]["value"];
    refuses(json, "another count of errors than of scales");
    json = good;
    json["outcomes"][0]["curve"]["value"] = json["profile"]["histograms"][0]["counts"];
    refuses(json, "not an array of numbers of the expected type");
    json = good;
    json["outcomes"][0]["choice"]["settings"]["bits"] = "40";
    refuses(json, "choice: percentile: bits=40 is not accepted; give a whole number from 2 to 16");
    json = good;
    json["outcomes"][0]["role"] = 4;
    refuses(json, "kind that is not known");
    json = good;
    json["profile"]["info"]["batchAxis"] = 3;
    refuses(json, "axis that the shape does not have");
    json = good;
    json["profile"]["histograms"][0]["counts"]["count"] = 5U;
    refuses(json, "another count of numbers");
    json = good;
    json["profile"]["histograms"][0]["spec"]["bins"] = std::uint64_t{1} << 40;
    refuses(json, "whole number that fits");
    json = good;
    json["profile"]["channels"]["count"] = 2U;
    refuses(json, "another length than its table");
    json = good;
    json["profile"]["channels"] = {{"count", std::uint64_t{1} << 62}, {"columns", Json::object()}};
    refuses(json, "more rows than its columns hold");
    json = good;
    json["outcomes"][0]["channels"]["columns"]["row.notes"]["places"] =
        json["outcomes"][0]["channels"]["columns"]["row.notes"]["counts"];
    refuses(json, "names a word that it does not hold");
}

TEST_CASE("sentences are cut, names that are too long refused")
{
    const std::string endless = std::string(2047, 'x') + "é" + std::string(50'000'000, 'y');
    Json json = encode(someView());
    json["outcomes"][0]["problem"] = endless;
    json["outcomes"][0]["whole"]["notes"] = {"short", endless};
    json["outcomes"][0]["channels"]["columns"]["row.notes"]["words"][0] = endless;
    json["profile"]["info"]["unreadable"]["sentence"] = endless;
    const TensorView view = decode<TensorView>(json);
    // Not within a character.
    const std::string cut = std::string(2047, 'x') + "…" + std::string(2048, 'y');
    CHECK(view.outcomes[0].problem == cut);
    CHECK(view.outcomes[0].whole.notes == std::vector<std::string>{"short", cut});
    CHECK(view.profile.info.unreadable.sentence == cut);
    for (const ScaleRow& row : view.outcomes[0].channels)
        for (const std::string& note : row.notes)
            CHECK(note.size() <= sentenceLimit + 3);

    json["profile"]["info"]["name"] = std::string(textLimit, 'x');
    CHECK(decode<TensorView>(json).profile.info.name.size() == textLimit);
    json["profile"]["info"]["name"] = endless;
    CHECK_THROWS_WITH((void)decode<TensorView>(json),
                      containsText("info: name: has 50002049 bytes"));
}

TEST_CASE("a word that is repeated until it fills the memory is refused")
{
    constexpr std::uint32_t times = 100'000;
    const std::vector<std::uint32_t> places(times, 0);
    const std::vector<std::uint32_t> counts{times};
    const Json lists = {{"words", {std::string(5000, 'x')}},
                        {"counts", writeNumbers(std::span<const std::uint32_t>(counts))},
                        {"places", writeNumbers(std::span<const std::uint32_t>(places))}};
    CHECK_THROWS_WITH((void)readWordLists(lists, 1, Where{nullptr, "notes"}),
                      containsText("repeats its words too often"));
}

TEST_CASE("packed numbers and what they make up are checked")
{
    const auto packed = [](std::vector<std::uint8_t> bytes, std::size_t count) {
        return Json{
            {"type", "varint"}, {"count", count}, {"bytes", Json::binary(std::move(bytes))}};
    };
    const auto refuses = [&](const Json& numbers, const std::string& sentence) {
        Json view = encode(someView());
        view["profile"]["sketch"]["positive"] = numbers;
        CHECK_THROWS_WITH((void)decode<TensorView>(view), containsText(sentence));
    };
    refuses(Json{{"type", "varint"}}, "not a list of packed numbers");
    refuses(packed({1, 1, 0x80}, 3), "ends within a number");
    refuses(packed({1, 1}, 3), "another count of numbers");
    refuses(packed({1, 1, 1}, 2), "another count of numbers");
    refuses(packed({1, 1, 1, 1}, 4), "a bin that is not whole");
    refuses(packed({1, 1, 1, 0, 1, 1}, 6), "empty or in disorder");
    refuses(packed({1, 0, 1}, 3), "empty or in disorder");
    refuses(packed({0xff, 0xff, 0xff, 0x7f, 1, 1}, 3), "empty or in disorder");
    refuses(packed({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 1, 1}, 3),
            "a number that does not fit");

    Json strip = encode(Strip{.rows = 1, .columns = 2, .counts = {1, 2}});
    strip["rows"] = 2U;
    CHECK_THROWS_WITH((void)decode<Strip>(strip), containsText("count of counts"));
    Json request = encode(ViewRequest{});
    request["tensor"]["part"]["batches"] = 0U;
    CHECK_THROWS_WITH((void)decode<ViewRequest>(request), containsText("asks for no batch"));
}

TEST_CASE("a view with any one value replaced or removed is a view or an error")
{
    const Json good = encode(someView());
    const Json flat = good.flatten();
    const std::vector<Json> intruders = {
        Json(),    Json(-1), Json("x"), Json(1e300), Json::array({1, 2}), Json{{"count", 3}},
        Json(true)};
    int errors = 0;
    for (const auto& [pointer, value] : flat.items())
        for (const Json& intruder : intruders) {
            Json damaged = good;
            damaged[Json::json_pointer(pointer)] = intruder;
            try {
                (void)decode<TensorView>(damaged);
            } catch (const Error&) {
                ++errors;
            }
        }
    CHECK(errors > 100);
}

TEST_CASE("a view with random bytes overwritten is a view or an error")
{
    const std::string good = toFrame(encode(someView())).substr(4);
    std::mt19937 random(3);
    int errors = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string bytes = good;
        for (unsigned change = 0; change <= random() % 4; ++change)
            bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
        try {
            (void)decode<TensorView>(parseCbor(bytes));
        } catch (const Error&) {
            ++errors;
        }
    }
    CHECK(errors > 100);
}

}  // namespace codec_damage_test
