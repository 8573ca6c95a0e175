// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/candidates.h"
#include "ui/queries/query.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace calibscope {

/// Reads what is shown of a tensor in two dumps, or in one of them: the latest request wins.
class PairReader : public QueryState
{
public:
    /// Both views, and the comparison where both are there.
    struct Request
    {
        std::optional<protocol::ViewRequest> a;
        std::optional<protocol::ViewRequest> b;
        std::optional<protocol::CompareRequest> both;
        std::vector<CandidateName> candidates;  ///< of the choices of `both`
    };
    struct Found
    {
        std::optional<protocol::TensorView> a;
        std::optional<protocol::TensorView> b;
        std::optional<protocol::Compared> both;
        std::vector<CandidateName> candidates;
    };

    explicit PairReader(Engine& engine, QObject* parent = nullptr);

    void show(Request wanted);
    /// Shows nothing, and drops what is being read.
    void clear();

    /// As far as it was read; while the same tensors are read with other choices, what was found
    /// before.
    [[nodiscard]] const Found& found() const { return m_found; }

private:
    template <typename Result>
    Handler<Result> noted(std::optional<Result> Found::*place);
    void askNext();
    [[nodiscard]] bool isSameTensors(const Request& wanted) const;

    Engine& m_engine;
    Request m_wanted;
    Found m_found;
    Found m_next;  ///< being read
    EngineRequest m_request;
};

}  // namespace calibscope
