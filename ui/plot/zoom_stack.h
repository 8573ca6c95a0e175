#pragma once

#include "core/base/range.h"

#include <map>
#include <optional>
#include <vector>

namespace calibscope {

/// What is shown of plots that share x.
struct LinkedZoom
{
    std::optional<Range> x;               ///< nothing: all
    std::map<int, std::vector<Range>> y;  ///< by number of the plot, where y was zoomed

    bool operator==(const LinkedZoom&) const = default;
};

/// Where a user zoomed to, with the way back and forward. It begins with all shown.
///
/// A gesture changes the zoom again and again; only its end is a step.
class ZoomStack
{
public:
    [[nodiscard]] const LinkedZoom& current() const { return m_current; }
    void change(LinkedZoom zoom) { m_current = std::move(zoom); }
    /// The gesture has ended. False: nothing had changed. The way forward is forgotten.
    bool commit();
    /// The gesture was cancelled: the zoom is the last step's.
    void revert();

    [[nodiscard]] bool canGoBack() const;
    [[nodiscard]] bool canGoForward() const;
    /// To the step before (what is not yet a step becomes one). False: there is none.
    bool back();
    bool forward();
    /// All shown, no way back.
    void clear();

private:
    std::vector<LinkedZoom> m_steps{LinkedZoom{}};
    std::size_t m_place = 0;  ///< of the last step in m_steps
    LinkedZoom m_current;
};

}  // namespace calibscope
