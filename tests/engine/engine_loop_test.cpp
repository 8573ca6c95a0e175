// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_loop.h"

#include "core/protocol/codec.h"
#include "core/protocol/frame_reader.h"
#include "tests/engine/engine_session.h"
#include "tests/support/catch.h"

#include <array>
#include <cstdio>
#include <functional>
#include <future>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace engine_loop_test {

using namespace calibscope::engine;
using namespace calibscope::protocol;
using namespace calibscope::test;
using namespace calibscope;
using namespace std::chrono_literals;

namespace {

Json viewOf(std::uint64_t tensor)
{
    return encode(ViewRequest{.tensor = {.file = "a.h5", .index = tensor}});
}

}  // namespace

TEST_CASE("requests are answered in order")
{
    EngineSession session;
    session.send(Request{1, "open", encode(OpenRequest{"a.h5"})});
    session.send(Request{2, "view", viewOf(0)});
    session.send(
        Request{3, "preview", encode(PreviewRequest{.tensor = {.file = "a.h5", .index = 0}})});
    const Reply opened = session.reply();
    CHECK(opened.id == 1);
    REQUIRE(opened.result);
    CHECK(decode<DumpOpened>(*opened.result).tensors.size() == 4);
    const Reply viewed = session.reply();
    CHECK(viewed.id == 2);
    REQUIRE(viewed.result);
    CHECK(decode<TensorView>(*viewed.result).profile.extents().max == 3.0);
    CHECK(session.reply().id == 3);
}

TEST_CASE("what fails is answered with the sentence and the fault, and the next request works")
{
    EngineSession session;
    session.send(Request{1, "open", encode(OpenRequest{"missing.h5"})});
    session.send(Request{2, "sing", Json::object()});
    session.send(Request{3, "view", Json{{"path", 3}}});
    session.send(Request{4, "view", viewOf(1)});
    session.send(Request{5, "view", viewOf(0)});
    const Reply missing = session.reply();
    REQUIRE(missing.failure);
    CHECK(missing.failure->message == "missing.h5: no such file");
    CHECK(missing.failure->fault == Fault::Input);
    const Reply unknown = session.reply();
    REQUIRE(unknown.failure);
    CHECK(unknown.failure->fault == Fault::Usage);
    CHECK(session.reply().failure);
    CHECK(session.reply().failure);
    CHECK(session.reply().result);
}

TEST_CASE("a ping is answered while a request is at work, with beats that go on")
{
    EngineSession session;
    session.send(Request{7, "view", viewOf(2)});
    (void)session.progress();
    session.send(PingRequest{100});
    const Reply first = session.reply();
    CHECK(first.id == 100);
    const Pong before = pongFromJson(*first.result);
    CHECK(before.current == 7);
    const auto isSaid = [&session](std::uint64_t firstPing,
                                   const std::function<bool(const Pong&)>& isIt) {
        for (std::uint64_t ping = firstPing; ping < firstPing + 100000; ++ping) {
            session.send(PingRequest{ping});
            if (isIt(pongFromJson(*session.reply().result)))
                return true;
        }
        return false;
    };
    CHECK(isSaid(101, [&before](const Pong& pong) { return pong.beats > before.beats; }));
    session.send(CancelRequest{7});
    CHECK(session.reply().id == 7);
    // The worker says so when it looks for more to do, a moment after it has replied.
    CHECK(isSaid(200000, [](const Pong& pong) { return pong.current == 0; }));
}

TEST_CASE("cancelling ends the request at work, and one that waits, and leaves the others")
{
    EngineSession session;
    session.send(Request{1, "view", viewOf(2)});
    session.send(Request{2, "view", viewOf(0)});
    session.send(Request{3, "view", viewOf(0)});
    (void)session.progress();
    session.send(CancelRequest{99});
    session.send(CancelRequest{2});
    const Reply waiting = session.reply();
    CHECK(waiting.id == 2);
    CHECK_FALSE(waiting.result);
    CHECK_FALSE(waiting.failure);
    session.send(CancelRequest{1});
    const Reply atWork = session.reply();
    CHECK(atWork.id == 1);
    CHECK_FALSE(atWork.result);
    CHECK_FALSE(atWork.failure);
    const Reply last = session.reply();
    CHECK(last.id == 3);
    CHECK(last.result);
}

TEST_CASE("progress comes at most once in its interval")
{
    EngineSession session;
    session.send(Request{1, "view", viewOf(2)});
    const auto start = std::chrono::steady_clock::now();
    std::vector<ProgressNote> notes;
    while (notes.size() < 5)
        notes.push_back(session.progress());
    const auto took = std::chrono::steady_clock::now() - start;
    CHECK(took >= std::chrono::milliseconds(150));
    CHECK(notes[0].id == 1);
    CHECK(notes[0].what == "values");
    CHECK(notes[4].done > notes[1].done);
    session.send(CancelRequest{1});
    CHECK(session.reply().id == 1);
}

TEST_CASE("damaged messages are answered with an error, and the engine goes on")
{
    EngineSession session;
    session.sendBytes(std::string("\x02\0\0\0\xff\xff", 6));
    CHECK(session.reply().failure);
    session.sendBytes(toFrame(Json{{"id", 9}, {"method", 5}}));
    const Reply typed = session.reply();
    CHECK(typed.id == 9);
    CHECK(typed.failure);
    session.sendBytes(toFrame("only a text"));
    CHECK(session.reply().failure);
    std::string deep(1 << 20, '\x81');
    session.sendBytes(std::string("\0\0\x10\0", 4) + deep);
    CHECK(session.reply().failure);
    session.send(Request{10, "view", viewOf(0)});
    CHECK(session.reply().result);
}

TEST_CASE("a length over the limit ends the engine after a word about it")
{
    EngineSession session;
    session.sendBytes(std::string("\xff\xff\xff\xff", 4));
    const Reply last = session.reply();
    REQUIRE(last.failure);
    CHECK_THAT(last.failure->message, containsText("over the limit"));
    CHECK(session.waitForEnd());
    CHECK_FALSE(session.wasAbandoned());
}

TEST_CASE("the end of the input stops the work and ends the engine")
{
    EngineSession session;
    session.send(Request{1, "view", viewOf(2)});
    (void)session.progress();
    session.closeInput();
    CHECK(session.waitForEnd());
    CHECK_FALSE(session.wasAbandoned());
}

TEST_CASE("work that does not stop is abandoned when the input has ended")
{
    EngineSession session;
    session.send(Request{1, "view", viewOf(3)});
    for (std::uint64_t ping = 100, current = 0; current != 1; ++ping) {
        session.send(PingRequest{ping});
        current = pongFromJson(*session.reply().result).current;
    }
    session.closeInput();
    CHECK(session.waitForAbandonment());
    session.dumps.release.happen();
    CHECK(session.waitForEnd());
}

TEST_CASE("an engine whose output nobody reads ends")
{
    EngineSession session;
    session.closeOutput();
    session.send(Request{1, "view", viewOf(0)});
    CHECK(session.waitForEnd());
}

TEST_CASE("an engine whose answers nobody reads ends with its input")
{
    EngineSession session;
    for (std::uint64_t ping = 1; ping <= 2500; ++ping)  // their answers are more than a pipe holds
        session.send(PingRequest{ping});
    session.closeInput();
    CHECK(session.waitForEnd());
}

namespace {

std::string readAll(int descriptor)
{
    std::string text;
    std::array<char, 256> bytes{};
    for (ssize_t count = 0; (count = ::read(descriptor, bytes.data(), bytes.size())) > 0;)
        text.append(bytes.data(), static_cast<std::size_t>(count));
    return text;
}

/// What a process with pipes of its own does: a library prints, and reads; the engine writes.
[[noreturn]] void beEngine()
{
    const engine::OwnPipes own = engine::takeStandardPipes();
    std::printf("banner of a library\n");
    std::fflush(stdout);
    const bool foundInput = std::getchar() != EOF;
    char byte = 0;
    const bool gotInput = ::read(own.input, &byte, 1) == 1 && byte == 'i';
    const char answer = gotInput && !foundInput ? 'y' : 'n';
    [[maybe_unused]] const ssize_t written = ::write(own.output, &answer, 1);
    ::_exit(0);
}

}  // namespace

TEST_CASE("what a library prints goes to standard error, what it reads is not the engine's")
{
    std::array<std::array<int, 2>, 3> pipes{};
    for (auto& pipe : pipes)
        REQUIRE(::pipe(pipe.data()) == 0);
    auto& [input, output, errors] = pipes;
    REQUIRE(::write(input[1], "i", 1) == 1);
    std::fflush(stdout);  // else the child prints what the tests printed before
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        ::dup2(input[0], STDIN_FILENO);
        ::dup2(output[1], STDOUT_FILENO);
        ::dup2(errors[1], STDERR_FILENO);
        for (auto& pipe : pipes)
            for (const int end : pipe)
                ::close(end);
        beEngine();
    }
    ::close(output[1]);
    ::close(errors[1]);
    CHECK(readAll(output[0]) == "y");
    CHECK(readAll(errors[0]) == "banner of a library\n");
    int status = 0;
    ::waitpid(child, &status, 0);
    for (const int end : {input[0], input[1], output[0], errors[0]})
        ::close(end);
}

}  // namespace engine_loop_test
