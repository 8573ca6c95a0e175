#include "app/calib/crash_sentence.h"

#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <csignal>

#include <unistd.h>

namespace calibscope::cli {

namespace {

constexpr std::array crashSignals{SIGSEGV, SIGBUS, SIGFPE};

// A signal handler reaches nothing but what is static, and may use little stack after an overflow.
std::array<char, 4096> sentence{};
std::size_t sentenceLength = 0;
std::array<char, std::size_t{64} << 10> handlerStack{};

extern "C" void sayAndEnd(int /*signal*/)
{
    const ssize_t ignored = ::write(STDERR_FILENO, sentence.data(), sentenceLength);
    static_cast<void>(ignored);
    ::_exit(exitCode(Fault::Input));
}

void setHandlers(void (*handler)(int))
{
    struct sigaction action
    {
    };
    action.sa_handler = handler;
    action.sa_flags = SA_ONSTACK;
    for (const int signal : crashSignals)
        ::sigaction(signal, &action, nullptr);
}

}  // namespace

CrashSentence::CrashSentence(const std::string& place)
{
    const std::string text = "calib: " + place +
                             ": the HDF5 library crashed while it was read; the file is damaged, "
                             "copy or record it again\n";
    sentenceLength = std::min(text.size(), sentence.size());
    std::copy_n(text.begin(), sentenceLength, sentence.begin());
    stack_t stack{};
    stack.ss_sp = handlerStack.data();
    stack.ss_size = handlerStack.size();
    ::sigaltstack(&stack, nullptr);
    setHandlers(sayAndEnd);
}

CrashSentence::~CrashSentence()
{
    setHandlers(SIG_DFL);
}

}  // namespace calibscope::cli
