// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mpi/rank_server.h"

#include "core/mpi/relayed_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

// The C interface alone, whose names every library has.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

namespace calibscope::mpi {

namespace {

using Clock = std::chrono::steady_clock;

/// Counts of MPI are ints: more bytes than that are sent in pieces.
constexpr std::uint64_t mostPieceBytes = std::uint64_t{256} << 20U;
constexpr std::uint64_t noPiece = ~std::uint64_t{0};

/// A round, and a piece in it.
using Question = std::array<std::uint64_t, 2>;

enum Tag { Ask = 1, Answer = 2, Take = 3, Data = 4 };

/// Waits for what MPI has begun. Libraries wait by spinning; ours shares its processors with those
/// that still read.
template <typename IsDone>
void waitUntil(const IsDone& isDone)
{
    constexpr int quickLooks = 200;
    constexpr std::chrono::microseconds longest(1000);
    std::chrono::microseconds pause(10);
    for (int look = 0; !isDone(); ++look) {
        if (look < quickLooks)
            continue;
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, longest);
    }
}

void waitFor(MPI_Request request)
{
    waitUntil([&] {
        int isDone = 0;
        MPI_Test(&request, &isDone, MPI_STATUS_IGNORE);
        return isDone != 0;
    });
}

void sendPieces(std::string& bytes, int to, MPI_Comm ranks, std::vector<MPI_Request>& requests,
                bool isReceived)
{
    for (std::uint64_t first = 0; first < bytes.size(); first += mostPieceBytes) {
        const int count =
            static_cast<int>(std::min<std::uint64_t>(mostPieceBytes, bytes.size() - first));
        MPI_Request& request = requests.emplace_back();
        if (isReceived)
            MPI_Irecv(bytes.data() + first, count, MPI_BYTE, to, Data, ranks, &request);
        else
            MPI_Isend(bytes.data() + first, count, MPI_BYTE, to, Data, ranks, &request);
    }
}

/// Sizes first, as 64 bits, then the bytes.
std::vector<std::string> exchanged(std::vector<std::string> toEach, MPI_Comm ranks)
{
    std::vector<std::uint64_t> own(toEach.size());
    std::vector<std::uint64_t> others(toEach.size());
    std::ranges::transform(toEach, own.begin(), &std::string::size);
    MPI_Request sizes = MPI_REQUEST_NULL;
    MPI_Ialltoall(own.data(), 1, MPI_UINT64_T, others.data(), 1, MPI_UINT64_T, ranks, &sizes);
    waitFor(sizes);
    std::vector<std::string> received(toEach.size());
    std::vector<MPI_Request> requests;
    for (std::size_t rank = 0; rank < toEach.size(); ++rank) {
        received[rank].resize(others[rank]);
        sendPieces(received[rank], static_cast<int>(rank), ranks, requests, true);
    }
    for (std::size_t rank = 0; rank < toEach.size(); ++rank)
        sendPieces(toEach[rank], static_cast<int>(rank), ranks, requests, false);
    waitUntil([&] {
        int areDone = 0;
        MPI_Testall(static_cast<int>(requests.size()), requests.data(), &areDone,
                    MPI_STATUSES_IGNORE);
        return areDone != 0;
    });
    return received;
}

std::string notConnected(const Launched& launched, int size)
{
    return fmt::format(
        "it was started {} times ({}), but MPI has connected {}; start it with the mpirun of the "
        "library that it was built with, or with srun --mpi=pmix",
        launched.count, launched.variable, size);
}

/// What a rank is at, as rank 0 sees it.
struct SeenRank
{
    std::string host;
    std::optional<std::size_t> piece;
    Clock::time_point since = Clock::now();
    bool isTold = false;  ///< that it is silent
};

/// Hands out pieces, and tells how far all are. Rank 0's alone; called by two threads.
class HandingOut
{
public:
    explicit HandingOut(std::vector<std::string> hosts)
    {
        for (std::string& host : hosts)
            m_ranks.push_back({.host = std::move(host), .piece = {}});
    }

    void begin(std::string what, std::vector<spread::HandedOut> pieces)
    {
        const std::scoped_lock lock(m_mutex);
        m_what = std::move(what);
        m_pieces = std::move(pieces);
        m_isDone.assign(m_pieces.size(), false);
        m_next = 0;
        m_doneBytes = 0;
        m_allBytes = 0;
        m_lasted.clear();
        for (const spread::HandedOut& piece : m_pieces)
            m_allBytes += piece.bytes;
        m_begun = Clock::now();
        m_told = m_begun;
        for (SeenRank& rank : m_ranks)
            rank.piece.reset();
    }

    std::uint64_t next(std::size_t rank)
    {
        const std::scoped_lock lock(m_mutex);
        const bool isLeft = m_next < m_pieces.size();
        see(rank, isLeft ? std::optional(m_next) : std::nullopt);
        return isLeft ? m_next++ : noPiece;
    }

    void takes(std::size_t rank, std::uint64_t piece)
    {
        const std::scoped_lock lock(m_mutex);
        if (piece < m_pieces.size())
            see(rank, piece);
    }

    /// Writes a line when it is time for one.
    void tell()
    {
        constexpr std::chrono::seconds onTerminal(10);
        constexpr std::chrono::seconds inFile(60);
        const std::scoped_lock lock(m_mutex);
        const Clock::time_point now = Clock::now();
        tellSilent(now);
        if (m_pieces.empty() || now - m_told < (m_isTerminal ? onTerminal : inFile))
            return;
        m_told = now;
        constexpr double giga = 1e9;
        const double seconds = std::chrono::duration<double>(now - m_begun).count();
        const auto done = static_cast<double>(m_doneBytes) / giga;
        std::string line = fmt::format("calib: {}: {:.1f} of {:.1f} GB, {:.2f} GB/s", m_what, done,
                                       static_cast<double>(m_allBytes) / giga, done / seconds);
        const auto slowest = std::ranges::min_element(m_ranks, {}, [&](const SeenRank& rank) {
            return rank.piece ? rank.since : Clock::time_point::max();
        });
        if (slowest->piece)
            line += "; slowest: " + textOf(*slowest, now);
        write(line);
    }

private:
    [[nodiscard]] std::string textOf(const SeenRank& rank, Clock::time_point now) const
    {
        return fmt::format("rank {} on {}, {:.0f} s at {}", &rank - m_ranks.data(), rank.host,
                           std::chrono::duration<double>(now - rank.since).count(),
                           m_pieces[*rank.piece].name);
    }

    static void write(const std::string& line)
    {
        static_cast<void>(std::fputs((line + "\n").c_str(), stderr));
        static_cast<void>(std::fflush(stderr));
    }

    /// A rank that may hang, once for each piece.
    void tellSilent(Clock::time_point now)
    {
        constexpr std::chrono::seconds least(60);
        constexpr int timesMedian = 10;
        if (m_lasted.empty())
            return;
        std::vector<Clock::duration> lasted = m_lasted;
        const auto middle = lasted.begin() + static_cast<std::ptrdiff_t>(lasted.size() / 2);
        std::ranges::nth_element(lasted, middle);
        for (SeenRank& rank : m_ranks) {
            const Clock::duration silent = now - rank.since;
            if (!rank.piece || rank.isTold || silent < least || silent < timesMedian * *middle)
                continue;
            rank.isTold = true;
            write("calib: warning: no word of " + textOf(rank, now));
        }
    }

    void see(std::size_t rank, std::optional<std::size_t> piece)
    {
        constexpr std::size_t mostLasted = 1000;
        SeenRank& seen = m_ranks.at(rank);
        const Clock::time_point now = Clock::now();
        if (piece && piece == seen.piece)
            return;
        if (seen.piece && !m_isDone[*seen.piece]) {
            m_isDone[*seen.piece] = true;
            m_doneBytes += m_pieces[*seen.piece].bytes;
            if (m_lasted.size() < mostLasted)
                m_lasted.push_back(now - seen.since);
        }
        seen.piece = piece;
        seen.since = now;
        seen.isTold = false;
    }

    std::mutex m_mutex;
    bool m_isTerminal = ::isatty(STDERR_FILENO) == 1;
    std::string m_what;
    std::vector<spread::HandedOut> m_pieces;
    std::vector<bool> m_isDone;
    std::size_t m_next = 0;
    std::uint64_t m_doneBytes = 0;
    std::uint64_t m_allBytes = 0;
    Clock::time_point m_begun;
    Clock::time_point m_told;
    std::vector<SeenRank> m_ranks;
    std::vector<Clock::duration> m_lasted;  ///< of the first pieces
};

}  // namespace

struct RankServer::Impl
{
    explicit Impl(int descriptor) : socket(descriptor) {}

    void run()
    {
        if (!connect())
            return;
        serve();
        isEnding = true;
        if (handOut.joinable())
            handOut.join();
        // Without the child's word the others still work: abort() ends them.
        if (!hasParted)
            return;
        MPI_Comm_free(&ofData);
        MPI_Comm_free(&ofAsking);
        MPI_Finalize();
        static_cast<void>(socket.write({}));
    }

    /// False, told to the child, where MPI does not connect what was launched.
    bool connect()
    {
        int provided = MPI_THREAD_SINGLE;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        const Launched told = launched();
        std::string fault;
        if (provided < MPI_THREAD_MULTIPLE)
            fault = "this library of MPI cannot be called by several threads "
                    "(MPI_THREAD_MULTIPLE)";
        else if (static_cast<std::size_t>(size) != told.count)
            fault = notConnected(told, size);
        if (!fault.empty()) {
            MPI_Finalize();
            static_cast<void>(socket.write(spread::packed(std::vector{fault})));
            return false;
        }
        isConnected = true;
        MPI_Comm_dup(MPI_COMM_WORLD, &ofData);
        MPI_Comm_dup(MPI_COMM_WORLD, &ofAsking);
        std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
        int length = 0;
        MPI_Get_processor_name(name.data(), &length);
        std::vector<std::string> hosts = exchanged(
            std::vector<std::string>(static_cast<std::size_t>(size),
                                     std::string(name.data(), static_cast<std::size_t>(length))),
            ofData);
        if (rank == 0) {
            handing.emplace(std::move(hosts));
            handOut = std::thread([this] { answerOthers(); });
        }
        return socket.write(
            spread::packed(std::vector{std::to_string(rank), std::to_string(size)}));
    }

    void serve()
    {
        while (const std::optional<std::string> message = socket.read()) {
            if (message->empty())
                return;
            const std::string_view body = std::string_view(*message).substr(1);
            std::vector<std::string> answer;
            switch (static_cast<Asked>(message->front())) {
            case Asked::Exchange: {
                std::vector<std::string> toEach = spread::unpacked(body);
                if (toEach.size() != static_cast<std::size_t>(size))
                    return;
                answer = exchanged(std::move(toEach), ofData);
                break;
            }
            case Asked::Begin: begin(body); break;
            case Asked::Next:
                if (const std::uint64_t piece = next(); piece != noPiece)
                    answer.push_back(std::to_string(piece));
                break;
            case Asked::Takes: takes(std::strtoull(std::string(body).c_str(), nullptr, 10)); break;
            case Asked::End: {
                MPI_Request all = MPI_REQUEST_NULL;
                MPI_Ibarrier(ofData, &all);
                waitFor(all);
                hasParted = true;
                return;
            }
            default: return;
            }
            if (!socket.write(spread::packed(answer)))
                return;
        }
    }

    void begin(std::string_view body)
    {
        const std::vector<std::string> texts = spread::unpacked(body);
        if (!handing || texts.empty()) {
            ++round;
            return;
        }
        std::vector<spread::HandedOut> pieces;
        for (std::size_t at = 1; at + 1 < texts.size(); at += 2)
            pieces.push_back(
                {.bytes = std::strtoull(texts[at].c_str(), nullptr, 10), .name = texts[at + 1]});
        handing->begin(texts.front(), std::move(pieces));
        ++round;
    }

    std::uint64_t next()
    {
        if (handing)
            return handing->next(0);
        Question question{round, 0};
        MPI_Send(question.data(), 2, MPI_UINT64_T, 0, Ask, ofAsking);
        std::uint64_t piece = 0;
        MPI_Request answer = MPI_REQUEST_NULL;
        MPI_Irecv(&piece, 1, MPI_UINT64_T, 0, Answer, ofAsking, &answer);
        waitFor(answer);
        return piece;
    }

    void takes(std::uint64_t piece)
    {
        if (handing) {
            handing->takes(0, piece);
            return;
        }
        Question question{round, piece};
        MPI_Send(question.data(), 2, MPI_UINT64_T, 0, Take, ofAsking);
    }

    /// The thread of rank 0.
    void answerOthers()
    {
        constexpr std::chrono::microseconds pause(500);
        while (!isEnding) {
            handing->tell();
            int isThere = 0;
            MPI_Status status{};
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, ofAsking, &isThere, &status);
            if (isThere == 0) {
                std::this_thread::sleep_for(pause);
                continue;
            }
            Question question{};
            MPI_Recv(question.data(), 2, MPI_UINT64_T, status.MPI_SOURCE, status.MPI_TAG, ofAsking,
                     MPI_STATUS_IGNORE);
            // Who asks for the next round has ended this one with all others: none of them waits.
            while (round < question.front() && !isEnding)
                std::this_thread::sleep_for(pause);
            const auto from = static_cast<std::size_t>(status.MPI_SOURCE);
            if (status.MPI_TAG == Take) {
                handing->takes(from, question.back());
                continue;
            }
            const std::uint64_t piece = handing->next(from);
            MPI_Send(&piece, 1, MPI_UINT64_T, status.MPI_SOURCE, Answer, ofAsking);
        }
    }

    RelaySocket socket;
    int rank = 0;
    int size = 1;
    MPI_Comm ofData = MPI_COMM_NULL;
    MPI_Comm ofAsking = MPI_COMM_NULL;
    std::optional<HandingOut> handing;     ///< rank 0's
    std::atomic<std::uint64_t> round = 0;  ///< that this rank has begun last
    std::atomic<bool> isEnding = false;
    std::atomic<bool> isConnected = false;
    std::atomic<bool> hasParted = false;
    std::thread handOut;
    std::thread serving;
};

std::string whyNotConnected([[maybe_unused]] const Launched& launched)
{
#ifdef OPEN_MPI
    // Its MPI_Init would end the process with exit code 1, and what was begun would stay. Others
    // find each other through Slurm's own library, of which no variable tells.
    if (launched.count > 1 && !launched.isToldOfOthers)
        return notConnected(launched, 1);
#endif
    return {};
}

void endAll(int code)
{
    static_cast<void>(std::fflush(nullptr));
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
}

RankServer::RankServer(int descriptor) : m_impl(std::make_unique<Impl>(descriptor)) {}

RankServer::~RankServer()
{
    if (m_impl->serving.joinable())
        m_impl->serving.join();
}

void RankServer::start()
{
    m_impl->serving = std::thread([this] { m_impl->run(); });
}

bool RankServer::hasParted()
{
    if (m_impl->hasParted && m_impl->serving.joinable())
        m_impl->serving.join();
    return m_impl->hasParted;
}

std::size_t RankServer::rank() const
{
    return static_cast<std::size_t>(m_impl->rank);
}

void RankServer::abort(int code)
{
    static_cast<void>(std::fflush(nullptr));
    int isOpen = 0;
    MPI_Initialized(&isOpen);
    if (isOpen != 0 && m_impl->isConnected)
        MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
}

}  // namespace calibscope::mpi
