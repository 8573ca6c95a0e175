#pragma once

#include "core/dump/attribute_reader.h"
#include "core/dump/layouts/draft.h"

namespace calibscope::layouts {

/// Op, its inputs and the place in the graph, from `op_type`, `inputs` and `order`.
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
