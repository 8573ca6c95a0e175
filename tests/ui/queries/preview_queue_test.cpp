// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/preview_queue.h"

#include "tests/support/catch.h"

namespace preview_queue_test {

using namespace calibscope;

std::vector<int> takeAll(PreviewQueue& queue)
{
    std::vector<int> taken;
    while (const std::optional<int> tensor = queue.take())
        taken.push_back(*tensor);
    return taken;
}

TEST_CASE("glances wait in the order in which they came, each once")
{
    PreviewQueue queue;
    CHECK_FALSE(queue.take());
    queue.replace({3, 1});
    queue.add(2);
    queue.add(3);
    CHECK(queue.size() == 3);
    CHECK(takeAll(queue) == std::vector<int>{3, 1, 2});
    CHECK(queue.isEmpty());
}

TEST_CASE("preferred glances are taken once, and only if they wait")
{
    PreviewQueue queue;
    queue.replace({0, 1, 2, 3});
    queue.prefer({3, 9, 1});
    CHECK(takeAll(queue) == std::vector<int>{3, 1, 0, 2});
    queue.add(1);  // waits again
    CHECK(takeAll(queue) == std::vector<int>{1});
}

TEST_CASE("one that goes to the front does not wait twice, one that is removed not at all")
{
    PreviewQueue queue;
    queue.replace({0, 1, 2});
    queue.addFirst(2);
    queue.remove(1);
    CHECK(queue.size() == 2);
    CHECK(takeAll(queue) == std::vector<int>{2, 0});
}

}  // namespace preview_queue_test
