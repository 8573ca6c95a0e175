// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/envelope.h"

#include "tests/support/catch.h"

namespace envelope_test {

using namespace calibscope;
using namespace calibscope::protocol;

TEST_CASE("messages to the engine come back as they were")
{
    const auto request =
        std::get<Request>(toEngineFromJson(toJson(Request{7, "view", {{"tensor", 3}}})));
    CHECK(request.id == 7);
    CHECK(request.method == "view");
    CHECK(request.params == Json{{"tensor", 3}});
    CHECK(std::get<PingRequest>(toEngineFromJson(toJson(PingRequest{8}))).id == 8);
    CHECK(std::get<CancelRequest>(toEngineFromJson(toJson(CancelRequest{9}))).request == 9);
}

TEST_CASE("a reply is a result, a failure, or neither when it was cancelled")
{
    const auto result = std::get<Reply>(toClientFromJson(toJson(Reply{1, Json(nullptr), {}})));
    CHECK(result.id == 1);
    REQUIRE(result.result);
    CHECK(result.result->is_null());
    CHECK_FALSE(result.failure);

    const auto failed = std::get<Reply>(
        toClientFromJson(toJson(Reply{2, {}, Failure{"a.h5: no such file", Fault::Output}})));
    REQUIRE(failed.failure);
    CHECK(failed.failure->message == "a.h5: no such file");
    CHECK(failed.failure->fault == Fault::Output);
    CHECK_FALSE(failed.result);

    const auto cancelled = std::get<Reply>(toClientFromJson(toJson(Reply{3, {}, {}})));
    CHECK(cancelled.id == 3);
    CHECK_FALSE(cancelled.result);
    CHECK_FALSE(cancelled.failure);
}

TEST_CASE("an error of 50 MB comes as its beginning and its end")
{
    const auto failed = std::get<Reply>(toClientFromJson(
        toJson(Reply{2, {}, Failure{std::string(50'000'000, 'x'), Fault::Input}})));
    REQUIRE(failed.failure);
    CHECK(failed.failure->message == std::string(2048, 'x') + "…" + std::string(2048, 'x'));
}

TEST_CASE("progress and signs of life come back as they were")
{
    const auto note =
        std::get<ProgressNote>(toClientFromJson(toJson(ProgressNote{4, 17, 64, "batches"})));
    CHECK(note.id == 4);
    CHECK(note.done == 17);
    CHECK(note.total == 64);
    CHECK(note.what == "batches");

    const Pong pong = pongFromJson(toJson(Pong{100, 5, 250}));
    CHECK(pong.beats == 100);
    CHECK(pong.current == 5);
    CHECK(pong.cpuMs == 250);
}

TEST_CASE("what is not a message of the protocol is an error")
{
    for (const char* text : {"[]", "{}", "3", R"({"id": 1})", R"({"method": "view"})",
                             R"({"id": -1, "method": "view"})", R"({"id": 0, "method": "view"})",
                             R"({"id": 1, "method": 2})", R"({"method": "cancel"})",
                             R"({"method": "cancel", "params": {"request": "all"}})"}) {
        INFO(text);
        CHECK_THROWS_AS((void)toEngineFromJson(Json::parse(text)), Error);
    }
    for (const char* text :
         {"[]", "{}", "null", R"({"id": 1})", R"({"id": 1, "cancelled": false})",
          R"({"id": 1.5, "result": 2})", R"({"id": 1, "error": "bad"})",
          R"({"id": 1, "error": {"message": "m", "fault": 4}})",
          R"({"id": 1, "error": {"message": "m", "fault": -1}})", R"({"progress": {"id": 1}})"}) {
        INFO(text);
        CHECK_THROWS_AS((void)toClientFromJson(Json::parse(text)), Error);
    }
    CHECK_THROWS_AS((void)pongFromJson(Json::parse(R"({"beats": 1})")), Error);
}

TEST_CASE("the id of a damaged message is found where there is one")
{
    CHECK(idOf(Json::parse(R"({"id": 12, "method": 5})")) == 12);
    CHECK(idOf(Json::parse(R"({"id": "x"})")) == 0);
    CHECK(idOf(Json::parse("[12]")) == 0);
}

}  // namespace envelope_test
