#include "core/engine/own_pipes.h"

#include "tests/support/catch.h"

#include <array>
#include <cstdio>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

using namespace calibscope;

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
