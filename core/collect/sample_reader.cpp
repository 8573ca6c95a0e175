// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/sample_reader.h"

#include "core/base/error.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace calibscope {

namespace {

constexpr std::uint64_t smallValues = std::uint64_t{4}
                                      << 20U;                 ///< of a tensor that is read at once
constexpr std::uint64_t runValues = std::uint64_t{1} << 18U;  ///< that are handed over, about
constexpr std::size_t mostWaiting = 2;

}  // namespace

struct SampleReader::Impl
{
    ValueSource source;
    Progress progress;
    std::size_t sampleValues = 0;
    std::size_t runLength = 0;  ///< whole samples

    /// Whole samples, but for the last; of values that do not count 0.
    struct Run
    {
        std::vector<float> values;
        std::vector<std::uint8_t> counts;  ///< empty: all do
    };
    Run run;  ///< that is being given
    std::size_t given = 0;

    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Run> waiting;
    bool isAtEnd = false;
    bool isStopped = false;
    std::exception_ptr failure;
    std::thread thread;

    Impl(const ValueSource& values, const Progress& steps) : source(values), progress(steps)
    {
        const std::vector<std::uint64_t>& shape = source.info.shape;
        const std::uint64_t samples = shape.empty() ? 1 : shape.front();
        sampleValues =
            static_cast<std::size_t>(samples == 0 ? 0 : source.info.valueCount() / samples);
        runLength = sampleValues *
                    std::max<std::size_t>(runValues / std::max<std::size_t>(sampleValues, 1), 1);
    }

    /// Visits the values in runs of that length.
    void readInRuns(std::size_t length, const std::function<void(Run)>& take)
    {
        Run next;
        std::uint64_t index = 0;
        // Without `values` those that do not count.
        const auto add = [&](std::uint64_t count, const float* values) {
            while (count > 0) {
                next.values.reserve(length);
                const std::size_t taken =
                    std::min<std::uint64_t>(length - next.values.size(), count);
                if (values != nullptr) {
                    next.values.insert(next.values.end(), values, values + taken);
                    values += taken;
                } else {
                    next.values.resize(next.values.size() + taken);
                }
                if (source.info.mask)
                    next.counts.resize(next.values.size(), values != nullptr ? 1 : 0);
                index += taken;
                count -= taken;
                if (next.values.size() == length)
                    take(std::exchange(next, {}));
            }
        };
        source.visit(
            [&](const Block& block) {
                if (source.info.mask)
                    add(block.firstIndex - index, nullptr);
                add(block.values.size(), block.values.data());
            },
            progress);
        if (source.info.mask)
            add(source.info.valueCount() - index, nullptr);
        if (!next.values.empty())
            take(std::move(next));
    }

    void readAtOnce()
    {
        readInRuns(source.info.valueCount(), [this](Run all) { run = std::move(all); });
        if (run.values.size() != source.info.valueCount())
            failForFew();
    }

    [[noreturn]] void failForFew() const
    {
        throw Error(Fault::Input, source.info.path + ": it has fewer values than its shape");
    }

    void handOver(Run values)
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return isStopped || waiting.size() < mostWaiting; });
        if (isStopped)
            throw Cancelled{};
        waiting.push_back(std::move(values));
        changed.notify_all();
    }

    void readAhead()
    {
        try {
            readInRuns(runLength, [this](Run values) { handOver(std::move(values)); });
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
        }
        const std::lock_guard lock(mutex);
        isAtEnd = true;
        changed.notify_all();
    }

    void takeRun()
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return isAtEnd || !waiting.empty(); });
        if (waiting.empty()) {
            if (failure)
                std::rethrow_exception(failure);
            failForFew();
        }
        run = std::move(waiting.front());
        waiting.pop_front();
        given = 0;
        changed.notify_all();
        if (run.values.size() % sampleValues != 0)
            failForFew();
    }

    void stop()
    {
        if (!thread.joinable())
            return;
        {
            const std::lock_guard lock(mutex);
            isStopped = true;
            changed.notify_all();
        }
        thread.join();
    }
};

SampleReader::SampleReader(const ValueSource& source, const Progress& progress)
    : m_impl(std::make_unique<Impl>(source, progress))
{
    if (source.info.valueCount() <= smallValues)
        m_impl->readAtOnce();
    else
        m_impl->thread = std::thread([impl = m_impl.get()] { impl->readAhead(); });
}

SampleReader::~SampleReader()
{
    m_impl->stop();
}

std::span<const float> SampleReader::next()
{
    Impl& impl = *m_impl;
    if (impl.thread.joinable() && impl.given == impl.run.values.size())
        impl.takeRun();
    const std::span<const float> sample =
        std::span<const float>(impl.run.values).subspan(impl.given, impl.sampleValues);
    impl.given += impl.sampleValues;
    return sample;
}

std::span<const std::uint8_t> SampleReader::counts() const
{
    const std::span<const std::uint8_t> all(m_impl->run.counts);
    return all.empty() ? all
                       : all.subspan(m_impl->given - m_impl->sampleValues, m_impl->sampleValues);
}

std::uint64_t SampleReader::bytesFor(std::uint64_t valuesPerSample)
{
    constexpr std::uint64_t runs = mostWaiting + 2;  // one is given, one is being read
    return sizeof(float) * std::max(smallValues, runs * std::max(runValues, valuesPerSample));
}

}  // namespace calibscope
