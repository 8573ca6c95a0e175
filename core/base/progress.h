// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>
#include <utility>

namespace calibscope {

/// Thrown out of a computation that was asked to stop. Not a std::exception, so that no handler
/// takes it for a failure.
struct Cancelled
{
};

/// Reports how far a computation is, and stops it, in one object.
class Progress
{
public:
    using Report =
        std::function<void(std::uint64_t done, std::uint64_t total, std::string_view what)>;

    /// Reports to nobody and never stops.
    Progress() = default;
    Progress(std::stop_token stop, Report report)
        : m_stop(std::move(stop)), m_report(std::move(report))
    {}

    /// Call once per block: `done` of `total` units of `what` are finished. Throws Cancelled if a
    /// stop was asked for.
    void step(std::uint64_t done, std::uint64_t total, std::string_view what) const
    {
        if (m_stop.stop_requested())
            throw Cancelled{};
        if (m_report)
            m_report(done, total, what);
    }

    /// Stops with this one and reports to nobody: for the parts of what is reported.
    [[nodiscard]] Progress silent() const { return {m_stop, {}}; }

private:
    std::stop_token m_stop;
    Report m_report;
};

}  // namespace calibscope
