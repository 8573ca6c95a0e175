// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/fake_engine.h"
#include "ui/document/document.h"
#include "ui/document/previews.h"

#include <utility>
#include <vector>

namespace calibscope::test {

/// A document with a dump of these tensors, whose engines answer nothing else by themselves. Paths
/// that are left out are made of the names.
struct ListedTensors
{
    explicit ListedTensors(std::vector<TensorInfo> tensors) { open(std::move(tensors)); }

    void open(std::vector<TensorInfo> tensors)
    {
        for (TensorInfo& tensor : tensors)
            if (tensor.path.empty())
                tensor.path = "/" + tensor.name;
        document.open("/somewhere/listed.h5");
        FakeEngine::answer(waited.opens, protocol::DumpOpened{.tensors = std::move(tensors)});
    }
    void setPreview(int tensor, protocol::Preview preview)
    {
        document.previews().take(tensor, std::move(preview));
    }

    FakeEngine waited;
    FakeEngine background;
    Document document{waited, background};
};

}  // namespace calibscope::test
