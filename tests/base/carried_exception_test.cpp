// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/carried_exception.h"

#include "tests/support/catch.h"

#include <new>

namespace carried_exception_test {

using namespace calibscope;

/// Calls back until it is told to stop, as a library in C does.
int iterate(int (*callback)(int item, void* state), void* state)
{
    int result = 0;
    for (int item = 0; item < 10 && result == 0; ++item)
        result = callback(item, state);
    return result;
}

struct Visit
{
    int items = 0;
    int fails = 0;
    CarriedException carried = {};
};

int visitItem(int item, void* state)
{
    auto& visit = *static_cast<Visit*>(state);
    return visit.carried.guard([&] {
        ++visit.items;
        if (item == visit.fails)
            throw std::bad_alloc();
    });
}

TEST_CASE("what a callback throws ends the iteration and is thrown behind the library")
{
    Visit failing{.fails = 1};
    CHECK(iterate(visitItem, &failing) == -1);
    CHECK(failing.items == 2);
    CHECK_THROWS_AS(failing.carried.rethrow(), std::bad_alloc);
    Visit whole{.fails = 99};
    CHECK(iterate(visitItem, &whole) == 0);
    CHECK(whole.items == 10);
    CHECK_NOTHROW(whole.carried.rethrow());
}

}  // namespace carried_exception_test
