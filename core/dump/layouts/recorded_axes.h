// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dataset_facts.h"
#include "core/dump/layouts/draft.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace calibscope::layouts {

/// Reads attributes by the types that a layout gives them. One that is missing has no value; one of
/// another type has none either, and leaves a warning.
class AttributeReader
{
public:
    explicit AttributeReader(const Attributes& attributes) : m_attributes(attributes) {}

    [[nodiscard]] std::optional<std::string> text(const std::string& name);
    [[nodiscard]] std::optional<std::int64_t> integer(const std::string& name);
    /// A list of texts; a single text is a list of one.
    [[nodiscard]] std::vector<std::string> texts(const std::string& name);
    /// A whole number or another one.
    [[nodiscard]] std::optional<double> number(const std::string& name);
    /// A list of whole numbers; a single one is a list of one.
    [[nodiscard]] std::vector<std::int64_t> integers(const std::string& name);
    /// "attribute NAME is passed over: REASON".
    void passOver(const std::string& name, const std::string& reason);
    /// "attribute NAME is doubtful: REASON".
    void doubt(const std::string& name, const std::string& reason);
    [[nodiscard]] const std::vector<std::string>& warnings() const { return m_warnings; }

private:
    /// A name that looks like this one, where it is missing, is a doubt.
    [[nodiscard]] const AttributeValue* find(const std::string& name);

    const Attributes& m_attributes;
    std::vector<std::string> m_warnings;
};

/// Op, its inputs and the place in the graph, from `op_type`, `inputs` and `order`; what else is
/// told of its graph, from the attributes of recorded_op.h.
void readGraph(AttributeReader& attributes, Draft& draft);

/// The layout ("NCHW", one letter for each axis) from `layout`.
void readLayout(AttributeReader& attributes, TensorInfo& info);

/// The channel axis: `channel_axis` (else `axis`, where that word counts), from the end where it is
/// negative; else the letter C of the layout, or the O of a weight's ("OIHW").
void readChannels(AttributeReader& attributes, Draft& draft, std::string_view rule,
                  bool readsAxis = false);

/// The batch size from `batch_size`, for a tensor with a batch axis.
void readBatchSize(AttributeReader& attributes, TensorInfo& info);

}  // namespace calibscope::layouts
