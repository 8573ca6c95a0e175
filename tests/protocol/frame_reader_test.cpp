#include "core/protocol/frame_reader.h"

#include "core/base/error.h"
#include "core/protocol/wire.h"
#include "tests/support/catch.h"

#include <string>
#include <vector>

using namespace calibscope;
using namespace calibscope::protocol;
using calibscope::test::containsText;

namespace {

std::vector<std::string> framesOf(FrameReader& reader)
{
    std::vector<std::string> frames;
    while (std::optional<std::string> frame = reader.next())
        frames.push_back(std::move(*frame));
    return frames;
}

}  // namespace

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
