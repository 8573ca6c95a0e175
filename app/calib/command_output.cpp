#include "app/calib/command_output.h"

#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <unistd.h>

namespace calibscope::cli {

namespace {

constexpr std::array crashSignals{SIGSEGV, SIGBUS, SIGFPE};

// A signal handler reaches nothing but what is static, and may use little stack after an overflow.
std::array<char, 4096> writtenSentence{};
std::size_t writtenLength = 0;
std::array<char, std::size_t{64} << 10> handlerStack{};

extern "C" void sayAndEnd(int /*signal*/)
{
    const ssize_t ignored = ::write(STDERR_FILENO, writtenSentence.data(), writtenLength);
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

void OutputOptions::declare(Command& command)
{
    command.add({.names = "--format",
                 .target = &format,
                 .help = "csv (default), tsv, json or table",
                 .type = "FORMAT"});
    command.add({.names = "--columns",
                 .target = &columns,
                 .help = "Only these columns, in this order",
                 .type = "NAME,..."});
    declarePath(command);
}

void OutputOptions::declarePath(Command& command)
{
    command.add({.names = "-o,--output",
                 .target = &path,
                 .help = "file to write instead of standard output",
                 .type = "FILE"});
}

void refuseOverwriting(const OutputOptions& output, const std::vector<std::string>& inputs)
{
    for (const std::string& input : inputs) {
        std::error_code ignored;
        if (!output.path.empty() && std::filesystem::equivalent(output.path, input, ignored))
            throw Error(Fault::Usage,
                        output.path + ": is the dump itself; choose another file with -o");
    }
}

TableOutput::TableOutput(const OutputOptions& options, std::span<const Column> columns)
    : m_path(options.path), m_format(options.tableFormat()), m_choice(columns, options.columns)
{}

void TableOutput::row(std::span<const Cell> cells)
{
    table().row(m_choice.cells(cells));
}

void TableOutput::finish()
{
    table().finish();
    m_output->finish();
}

TableWriter& TableOutput::table()
{
    if (!m_table) {
        m_output.emplace(m_path);
        m_table.emplace(m_output->sink(), m_format, m_choice.columns());
    }
    return *m_table;
}

void warn(const std::string& sentence)
{
    std::fprintf(stderr, "calib: warning: %s\n", sentence.c_str());
}

void Complaints::add(const std::string& sentence)
{
    std::fprintf(stderr, "calib: %s\n", sentence.c_str());
    m_any = true;
}

int Complaints::exitCode() const
{
    return m_any ? calibscope::exitCode(Fault::Input) : 0;
}

CrashSentence::CrashSentence(const std::string& place)
{
    const std::string text = "calib: " + place +
                             ": the HDF5 library crashed while reading it; the file is damaged, "
                             "copy or record it again\n";
    writtenLength = std::min(text.size(), writtenSentence.size());
    std::copy_n(text.begin(), writtenLength, writtenSentence.begin());
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
