// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/program_host.h"

#include "core/base/digest.h"
#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace calibscope::engine {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t digestDigits = 64;
constexpr std::size_t mostLetter = 8192;  ///< bytes, between the starter and who asks
constexpr char startMark = 'S';
constexpr char endMark = 'E';
constexpr std::size_t streams = 3;
using Streams = std::array<int, streams>;  // standard input, output and error

std::string systemReason()
{
    return std::generic_category().message(errno);
}

void closeAll(std::span<const int> descriptors)
{
    for (const int descriptor : descriptors)
        if (descriptor >= 0)
            ::close(descriptor);
}

/// One letter, and descriptors with it.
bool sendLetter(int line, const std::string& text, std::span<const int> given = {})
{
    iovec part{.iov_base = const_cast<char*>(text.data()), .iov_len = text.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(Streams))> control{};
    msghdr letter{};
    letter.msg_iov = &part;
    letter.msg_iovlen = 1;
    if (!given.empty()) {
        letter.msg_control = control.data();
        letter.msg_controllen = control.size();
        cmsghdr* header = CMSG_FIRSTHDR(&letter);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(given.size_bytes());
        std::memcpy(CMSG_DATA(header), given.data(), given.size_bytes());
    }
    return ::sendmsg(line, &letter, MSG_NOSIGNAL) >= 0;
}

struct Letter
{
    std::string text;
    std::optional<Streams> given;
};

/// Nothing where the other side is gone.
std::optional<Letter> receiveLetter(int line)
{
    Letter received{.text = std::string(mostLetter, '\0'), .given = {}};
    iovec part{.iov_base = received.text.data(), .iov_len = received.text.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(Streams))> control{};
    msghdr letter{};
    letter.msg_iov = &part;
    letter.msg_iovlen = 1;
    letter.msg_control = control.data();
    letter.msg_controllen = control.size();
    ssize_t bytes = 0;
    while ((bytes = ::recvmsg(line, &letter, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
        continue;
    if (bytes <= 0)
        return std::nullopt;
    received.text.resize(static_cast<std::size_t>(bytes));
    const cmsghdr* header = CMSG_FIRSTHDR(&letter);
    if (header != nullptr && header->cmsg_len == CMSG_LEN(sizeof(Streams)))
        std::memcpy(received.given.emplace().data(), CMSG_DATA(header), sizeof(Streams));
    return received;
}

/// The process that a letter is about; 0: none.
pid_t processIn(std::string_view letter)
{
    pid_t process = 0;
    std::from_chars(letter.data() + 1, letter.data() + letter.size(), process);
    return process;
}

/// The helper for Python of an installed program, behind what the user has.
void addPythonPath()
{
    std::error_code failure;
    const fs::path own = fs::read_symlink("/proc/self/exe", failure).parent_path();
    const fs::path python = own / "../share/calibscope/python";
    if (failure || !fs::is_directory(python, failure))
        return;
    const char* given = std::getenv("PYTHONPATH");
    const std::string all = (given != nullptr ? std::string(given) + ":" : "") + python.string();
    ::setenv("PYTHONPATH", all.c_str(), 1);
}

[[noreturn]] void becomeProgram(const std::string& path, bool isPython, const Streams& own,
                                std::uint64_t memoryBytes)
{
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    for (int signal = 1; signal < NSIG; ++signal)
        (void)std::signal(signal, SIG_DFL);
    const rlimit none{0, 0};
    const rlimit memory{memoryBytes, memoryBytes};
    ::setrlimit(RLIMIT_CORE, &none);
    ::setrlimit(RLIMIT_DATA, &memory);
    for (std::size_t stream = 0; stream < streams; ++stream)
        ::dup2(own.at(stream), static_cast<int>(stream));
    if (isPython)
        ::execlp("python3", "python3", path.c_str(), nullptr);
    else
        ::execl(path.c_str(), path.c_str(), nullptr);
    constexpr int notStarted = 127;
    const std::string sentence = "it can't be started: " + systemReason() + "\n";
    static_cast<void>(::write(STDERR_FILENO, sentence.data(), sentence.size()));
    ::_exit(notStarted);
}

class Starter
{
public:
    Starter(ProgramRights rights, const ProgramLimits& limits, int line)
        : m_rights(std::move(rights)), m_memoryBytes(limits.memoryBytes), m_line(line)
    {}

    [[noreturn]] void run()
    {
        addPythonPath();
        while (const std::optional<Letter> letter = receiveLetter(m_line))
            if (letter->text.front() == startMark && letter->text.size() > digestDigits + 1)
                start(letter->text.substr(1 + digestDigits), letter->text.substr(1, digestDigits));
            else
                sendLetter(m_line, "-" + endOf(processIn(letter->text)));
        for (const pid_t program : m_programs)
            ::kill(-program, SIGKILL);
        ::_exit(0);
    }

private:
    /// Why it is not run; empty: it is.
    [[nodiscard]] std::string refusal(const std::string& file, const std::string& path,
                                      const std::string& digest) const
    {
        const bool isGiven =
            m_rights.all || std::ranges::find(m_rights.files, path) != m_rights.files.end();
        if (file.find('/') == std::string::npos ? m_rights.folder.empty() : !isGiven)
            return "it is not run: it is not in your folder of programs; calib also runs one that "
                   "--calibrator names, and any with --allow-programs";
        try {
            if (fileSha256(path) != digest)
                return "its content is not the one that was chosen; choose the program anew";
        } catch (const Error& error) {
            return error.what();
        }
        if (::access(path.c_str(), X_OK) != 0 && !path.ends_with(".py"))
            return "it is no executable file; chmod +x makes it one";
        return {};
    }

    void start(const std::string& file, const std::string& digest)
    {
        const std::string path =
            file.find('/') == std::string::npos ? m_rights.folder + "/" + file : file;
        if (const std::string why = refusal(file, path, digest); !why.empty())
            return void(sendLetter(m_line, "!" + why));
        std::array<int, 2> input{-1, -1};
        std::array<int, 2> output{-1, -1};
        std::array<int, 2> errors{-1, -1};
        // A socket: what is written to a program that reads no more is a failure, no signal.
        const bool hasStreams =
            ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input.data()) == 0 &&
            ::pipe2(output.data(), O_CLOEXEC) == 0 && ::pipe2(errors.data(), O_CLOEXEC) == 0;
        const pid_t program = hasStreams ? ::fork() : -1;
        if (program == 0)
            becomeProgram(path, ::access(path.c_str(), X_OK) != 0, {input[0], output[1], errors[1]},
                          m_memoryBytes);
        if (program > 0) {
            ::setpgid(program, program);  // in both processes, since either may be first
            m_programs.push_back(program);
            sendLetter(m_line, "+" + std::to_string(program),
                       Streams{input[1], output[0], errors[0]});
        } else {
            sendLetter(m_line, "!it can't be started: " + systemReason());
        }
        for (const auto& both : {input, output, errors})
            closeAll(both);
    }

    /// Ends it with all that it started. How it ended, where it did so within a moment by itself.
    std::string endOf(pid_t program)
    {
        if (std::erase(m_programs, program) == 0)
            return {};
        constexpr int looks = 20;
        constexpr unsigned lookUs = 10000;
        int status = 0;
        pid_t found = 0;
        for (int look = 0; look < looks && (found = ::waitpid(program, &status, WNOHANG)) == 0;
             ++look)
            ::usleep(lookUs);
        ::kill(-program, SIGKILL);
        if (found == 0) {
            ::waitpid(program, &status, 0);
            return {};
        }
        return WIFSIGNALED(status)
                   ? fmt::format("signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)))
                   : fmt::format("exit code {}", WEXITSTATUS(status));
    }

    ProgramRights m_rights;
    std::uint64_t m_memoryBytes;
    int m_line;
    std::vector<pid_t> m_programs;
};

/// The question's number in a line, where it is there.
std::optional<std::uint64_t> idOf(const std::string& line)
{
    const auto parsed = nlohmann::json::parse(line, nullptr, false);
    const auto id = parsed.is_object() ? parsed.find("id") : parsed.end();
    return id != parsed.end() && id->is_number_unsigned() ? std::optional(id->get<std::uint64_t>())
                                                          : std::nullopt;
}

[[noreturn]] void becomeStarter(ProgramRights rights, const ProgramLimits& limits, int line)
{
    // It ends with the other side of its line, and has first to end the programs: what is sent to
    // the others' group, SIGKILL too, is not for it.
    ::setsid();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE})
        (void)std::signal(signal, SIG_IGN);
    (void)std::signal(SIGCHLD, SIG_DFL);
    constexpr int ownLine = STDERR_FILENO + 1;
    if (line != ownLine)
        ::dup3(line, ownLine, O_CLOEXEC);
    // What it inherited would stay open for others as long as it lives.
    ::close_range(ownLine + 1, ~0U, 0);
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (std::size_t stream = 0; stream < streams; ++stream)
        ::dup2(nothing, static_cast<int>(stream));
    Starter(std::move(rights), limits, ownLine).run();
}

}  // namespace

/// Questions to one program, and its answers. Failures are Error(Usage) without its name.
class ProgramTalk
{
public:
    ProgramTalk(std::string process, const Streams& ends, const ProgramLimits& limits)
        : m_process(std::move(process)), m_ends(ends), m_limits(limits)
    {
        for (const int end : m_ends)
            ::fcntl(end, F_SETFL, ::fcntl(end, F_GETFL) | O_NONBLOCK);
    }
    ProgramTalk(const ProgramTalk&) = delete;
    ProgramTalk& operator=(const ProgramTalk&) = delete;
    ~ProgramTalk() { closeAll(m_ends); }

    [[nodiscard]] const std::string& process() const { return m_process; }

    /// The end of what it wrote to standard error, as one line.
    [[nodiscard]] std::string lastWords()
    {
        constexpr int mostReads = 16;  // what it left behind may go on writing
        for (int reads = 0; reads < mostReads && hearErrors(); ++reads)
            continue;
        std::string words = m_said.substr(0, m_said.find_last_not_of('\n') + 1);
        constexpr unsigned char firstPrinted = 0x20;
        std::ranges::replace_if(
            words, [](char c) { return static_cast<unsigned char>(c) < firstPrinted; }, ' ');
        return words;
    }

    /// A program that reads no more is heard all the same.
    void write(std::string_view bytes, const Progress& progress) { move(bytes, false, progress); }

    /// Nothing where it ended before its line.
    [[nodiscard]] std::optional<std::string> line(const Progress& progress)
    {
        move({}, true, progress);
        const std::size_t end = m_heard.find('\n');
        if (end == std::string::npos)
            return std::nullopt;
        std::string line = m_heard.substr(0, end);
        m_heard.erase(0, end + 1);
        return line;
    }

    /// What it wrote without being asked would be taken for the next answer.
    void refuseFurtherLines()
    {
        while (hearAnswer())
            continue;
        if (!m_heard.empty())
            throw Error(Fault::Usage, "has written more than one line for a question");
    }

private:
    /// Writes all of it and reads meanwhile, up to the end of a line if one is wanted.
    void move(std::string_view bytes, bool wantsLine, const Progress& progress)
    {
        using Clock = std::chrono::steady_clock;
        constexpr int tickMs = 50;
        Clock::time_point last = Clock::now();
        const auto isDone = [&] {
            const bool isHeard = !wantsLine || m_heard.find('\n') != std::string::npos;
            return m_isOver || ((bytes.empty() || m_isDeaf) && isHeard);
        };
        while (!isDone()) {
            const bool writes = !bytes.empty() && !m_isDeaf;
            std::array<pollfd, streams> ready{
                pollfd{.fd = writes ? m_ends[0] : -1, .events = POLLOUT, .revents = 0},
                pollfd{.fd = m_ends[1], .events = POLLIN, .revents = 0},
                pollfd{.fd = m_isMute ? -1 : m_ends[2], .events = POLLIN, .revents = 0}};
            ::poll(ready.data(), ready.size(), tickMs);
            progress.step(0, 0, "program");
            const bool hasWritten = ready[0].revents != 0 && take(bytes);
            const bool hasHeard = ready[1].revents != 0 && hearAnswer();
            if (ready[2].revents != 0)
                static_cast<void>(hearErrors());
            if (hasWritten || hasHeard)
                last = Clock::now();
            else if (Clock::now() - last > m_limits.patience)
                throw Error(Fault::Usage, "has not answered for {} s and was ended",
                            std::chrono::duration<double>(m_limits.patience).count());
        }
    }

    bool take(std::string_view& bytes)
    {
        const ssize_t taken = ::send(m_ends[0], bytes.data(), bytes.size(), MSG_NOSIGNAL);
        m_isDeaf = taken < 0 && errno != EAGAIN && errno != EINTR;
        if (taken > 0)
            bytes.remove_prefix(static_cast<std::size_t>(taken));
        return taken > 0;
    }

    /// Whether there was something; `isOver` is set at the end.
    static bool hear(int end, std::string& heard, bool& isOver)
    {
        std::array<char, 65536> bytes{};
        const ssize_t count = ::read(end, bytes.data(), bytes.size());
        isOver = isOver || count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR);
        if (count > 0)
            heard.append(bytes.data(), static_cast<std::size_t>(count));
        return count > 0;
    }

    bool hearAnswer()
    {
        const bool hasHeard = hear(m_ends[1], m_heard, m_isOver);
        if (m_heard.size() > m_limits.answerBytes)
            throw Error(Fault::Usage, "has answered more than {} KiB", m_limits.answerBytes >> 10U);
        return hasHeard;
    }

    bool hearErrors()
    {
        constexpr std::size_t tailBytes = 300;
        const bool hasHeard = hear(m_ends[2], m_said, m_isMute);
        m_said.erase(0, m_said.size() - std::min(m_said.size(), tailBytes));
        return hasHeard;
    }

    std::string m_process;
    Streams m_ends;
    ProgramLimits m_limits;
    std::string m_heard;
    std::string m_said;
    bool m_isDeaf = false;  ///< reads no more
    bool m_isOver = false;  ///< writes no more answers
    bool m_isMute = false;  ///< nor errors
};

ProgramHost::ProgramHost(ProgramRights rights, ProgramLimits limits) : m_limits(limits)
{
    std::array<int, 2> line{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line.data()) != 0)
        return;  // every question is answered by a failure
    m_line = line[0];
    static_cast<void>(std::fflush(nullptr));  // what is buffered would be written by both
    m_starter = ::fork();
    if (m_starter == 0)
        becomeStarter(std::move(rights), limits, line[1]);
    ::close(line[1]);
}

ProgramHost::~ProgramHost()
{
    m_talks.clear();
    closeAll(std::span(&m_line, 1));
    if (m_starter > 0)
        ::waitpid(static_cast<pid_t>(m_starter), nullptr, 0);
}

ProgramTalk& ProgramHost::talkWith(const ProgramQuestion& question)
{
    constexpr std::size_t mostTalks = 8;
    const Key key{question.file, question.sha256};
    if (const auto found = m_talks.find(key); found != m_talks.end())
        return *found->second;
    while (m_talks.size() >= mostTalks)
        static_cast<void>(end(m_talks.begin()->first));
    sendLetter(m_line, startMark + question.sha256 + question.file);
    const std::optional<Letter> answer = receiveLetter(m_line);
    if (!answer || !answer->given)
        throw Error(Fault::Usage, answer ? answer->text.substr(1) : "can't be started");
    return *m_talks
                .emplace(key, std::make_unique<ProgramTalk>(answer->text.substr(1), *answer->given,
                                                            m_limits))
                .first->second;
}

ProgramEnd ProgramHost::end(const Key& key)
{
    const auto found = m_talks.find(key);
    if (found == m_talks.end())
        return {};
    sendLetter(m_line, endMark + found->second->process());
    const std::optional<Letter> answer = receiveLetter(m_line);
    std::string words = found->second->lastWords();
    m_talks.erase(found);
    return {.how = answer ? answer->text.substr(1) : std::string(), .words = std::move(words)};
}

std::string ProgramHost::answered(const ProgramQuestion& question, const Progress& progress)
{
    const Key key{question.file, question.sha256};
    const bool isKnown = m_talks.contains(key);
    ProgramTalk& talk = talkWith(question);
    if (isKnown)  // a new one may have answered already, without a look at the question
        talk.refuseFurtherLines();
    talk.write(question.line + "\n", progress);
    if (question.values)
        question.values([&](std::span<const float> values) {
            talk.write({reinterpret_cast<const char*>(values.data()), values.size_bytes()},
                       progress);
        });
    const std::optional<std::uint64_t> asked = idOf(question.line);
    while (std::optional<std::string> line = talk.line(progress))
        if (const auto id = idOf(*line); !id || !asked || *id >= *asked)
            return *std::move(line);  // else it is a late one, of an earlier question
    // One that answers a question and ends is started anew for the next.
    const ProgramEnd ended = end(key);
    if (isKnown && ended.how == "exit code 0")
        return answered(question, progress);
    throw Error(Fault::Usage, "has ended before it answered{}", ended.text());
}

AskProgram ProgramHost::asking(const Progress& progress)
{
    return [this, progress](const ProgramQuestion& question) { return ask(question, progress); };
}

std::string ProgramHost::ask(const ProgramQuestion& question, const Progress& progress)
{
    const std::lock_guard lock(m_mutex);
    const Key key{question.file, question.sha256};
    if (question.sha256.size() != digestDigits || question.file.size() > mostLetter / 2)
        throw Error(Fault::Usage, "{}: it is not run without the SHA-256 of its content",
                    question.file);
    try {
        return answered(question, progress);
    } catch (const Error& error) {
        const std::string how = end(key).text();
        if (error.fault() != Fault::Usage)
            throw;  // the values could not be read
        throw Error(Fault::Usage, "{}: {}{}", question.file.substr(question.file.rfind('/') + 1),
                    error.what(), how);
    } catch (...) {
        static_cast<void>(end(key));
        throw;
    }
}

}  // namespace calibscope::engine
