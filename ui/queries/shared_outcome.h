// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/outcome.h"

#include <memory>
#include <optional>
#include <utility>

namespace calibscope {

/// An outcome, or none, that all copies share and nobody changes: of a tensor with thousands of
/// channels it is large, and each part of the window has rows of its own.
class SharedOutcome
{
public:
    SharedOutcome() = default;
    // Implicit, as an outcome is what all of these are.
    SharedOutcome(Outcome outcome) : m_outcome(std::make_shared<const Outcome>(std::move(outcome)))
    {}
    SharedOutcome(const std::optional<Outcome>& outcome)
    {
        if (outcome)
            *this = *outcome;
    }
    /// One of a larger whole, which lives on with it.
    SharedOutcome(std::shared_ptr<const Outcome> outcome) : m_outcome(std::move(outcome)) {}

    explicit operator bool() const { return m_outcome != nullptr; }
    const Outcome& operator*() const { return *m_outcome; }
    const Outcome* operator->() const { return m_outcome.get(); }
    void reset() { m_outcome.reset(); }

private:
    std::shared_ptr<const Outcome> m_outcome;
};

}  // namespace calibscope
