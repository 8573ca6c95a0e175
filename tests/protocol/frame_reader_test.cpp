// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/frame_reader.h"

#include "core/base/error.h"
#include "core/protocol/wire.h"
#include "tests/support/catch.h"

#include <string>
#include <vector>

namespace frame_reader_test {

using namespace calibscope;
using namespace calibscope::protocol;
using calibscope::test::containsText;

std::vector<std::string> framesOf(FrameReader& reader)
{
    std::vector<std::string> frames;
    while (std::optional<std::string> frame = reader.next())
        frames.push_back(std::move(*frame));
    return frames;
}

TEST_CASE("frames come out whole, however the stream is cut")
{
    const std::string first = toFrame({{"id", 1}});
    const std::string second = toFrame("two");
    const std::string stream = first + second + toFrame(Json());
    for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
        FrameReader reader(FrameReader::Start::AtFrame);
        std::vector<std::string> frames;
        for (std::size_t at = 0; at < stream.size(); at += piece) {
            reader.feed(std::string_view(stream).substr(at, piece));
            for (std::string& frame : framesOf(reader))
                frames.push_back(std::move(frame));
        }
        REQUIRE(frames.size() == 3);
        CHECK(frames[0] == first.substr(4));
        CHECK(frames[1] == second.substr(4));
        CHECK(parseCbor(frames[2]) == Json());
    }
}

TEST_CASE("everything before the preamble is skipped, however it is cut")
{
    const std::string banner = "Welcome to host7!\n" + std::string(preamble.substr(0, 9)) + "\n";
    const std::string stream = banner + std::string(preamble) + toFrame("first");
    for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
        FrameReader reader(FrameReader::Start::AtPreamble);
        CHECK_FALSE(reader.hasStarted());
        std::vector<std::string> frames;
        for (std::size_t at = 0; at < stream.size(); at += piece) {
            reader.feed(std::string_view(stream).substr(at, piece));
            for (std::string& frame : framesOf(reader))
                frames.push_back(std::move(frame));
        }
        CHECK(reader.hasStarted());
        REQUIRE(frames.size() == 1);
        CHECK(parseCbor(frames[0]) == "first");
    }
}

TEST_CASE("a program that never sends the preamble is given up")
{
    FrameReader reader(FrameReader::Start::AtPreamble);
    const std::string chatter(4096, 'y');
    const auto talk = [&] {
        for (std::size_t said = 0; said <= bannerLimit + chatter.size(); said += chatter.size()) {
            reader.feed(chatter);
            (void)reader.next();
        }
    };
    CHECK_THROWS_WITH(talk(), containsText("does not speak the engine's protocol"));
}

TEST_CASE("a length over the limit is refused before its bytes are waited for")
{
    FrameReader reader(FrameReader::Start::AtFrame);
    reader.feed(std::string("\x01\0\0\x04", 4));  // 64 MiB and one byte
    CHECK_THROWS_AS((void)reader.next(), Error);

    FrameReader atLimit(FrameReader::Start::AtFrame);
    atLimit.feed(std::string("\0\0\0\x04", 4));
    CHECK_FALSE(atLimit.next());
}

TEST_CASE("after each frame to the client a line feed may follow, whatever the frames' lengths are")
{
    // A length whose first byte is a line feed itself, and one of 0x0a0a.
    const auto message = [](std::size_t bytes) {
        Json json = {{"id", 1}};
        json["x"] = std::string(bytes, 'x');
        return json;
    };
    std::vector<std::string> frames;
    for (std::size_t bytes = 0; bytes < 300; ++bytes)
        frames.push_back(toFrame(message(bytes)));
    frames.push_back(toFrame(message(0x0a0a - frames[0].size() - 2 + lengthBytes)));
    CHECK(frames.back().substr(0, 2) == "\n\n");
    for (const bool hasEnds : {false, true})
        for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{100000}}) {
            std::string stream(preamble);
            for (const std::string& frame : frames)
                stream += frame + (hasEnds ? "\n" : "");
            FrameReader reader(FrameReader::Start::AtPreamble);
            std::vector<std::string> found;
            for (std::size_t at = 0; at < stream.size(); at += piece) {
                reader.feed(std::string_view(stream).substr(at, piece));
                for (std::string& frame : framesOf(reader))
                    found.push_back(std::move(frame));
            }
            REQUIRE(found.size() == frames.size());
            for (std::size_t place = 0; place < frames.size(); ++place)
                CHECK(found[place] == frames[place].substr(lengthBytes));
        }
}

TEST_CASE("a greeting of another version is told with both, at once")
{
    for (const std::string version : {"1", "3", "12"})
        for (std::size_t piece = 1; piece <= 40; ++piece) {
            FrameReader reader(FrameReader::Start::AtPreamble);
            const std::string stream =
                "Welcome!\n" + std::string("\0calibscope-engine ", 19) + version + "\n";
            const auto talk = [&] {
                for (std::size_t at = 0; at < stream.size(); at += piece) {
                    reader.feed(std::string_view(stream).substr(at, piece));
                    (void)reader.next();
                }
            };
            CHECK_THROWS_WITH(talk(), containsText("protocol " + version + ", this program 2"));
        }
}

TEST_CASE("a banner that looks like a greeting is skipped")
{
    const std::string like("\0calibscope-engine ", 19);
    const std::string stream = like + "\n" + like + "two\n" + like + "12345678901234567890\n" +
                               like + "2 \n" + std::string(preamble) + toFrame("first");
    for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
        FrameReader reader(FrameReader::Start::AtPreamble);
        std::vector<std::string> frames;
        for (std::size_t at = 0; at < stream.size(); at += piece) {
            reader.feed(std::string_view(stream).substr(at, piece));
            for (std::string& frame : framesOf(reader))
                frames.push_back(std::move(frame));
        }
        REQUIRE(frames.size() == 1);
        CHECK(parseCbor(frames[0]) == "first");
    }
}

}  // namespace frame_reader_test
