// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/deadly_requests.h"

#include "tests/support/catch.h"

namespace deadly_requests_test {

using namespace calibscope;

TEST_CASE("a request that has ended two engines is refused until it was quiet for a while")
{
    DeadlyRequests requests;
    requests.noteDeath(7, 1000);
    CHECK(requests.refusedForMs(7, 1000) == 0);
    requests.noteDeath(7, 2000);
    CHECK(requests.refusedForMs(7, 2000) == DeadlyRequests::quietMs);
    CHECK(requests.refusedForMs(7, 3000) == DeadlyRequests::quietMs - 1000);
    CHECK(requests.refusedForMs(8, 3000) == 0);
    CHECK(requests.refusedForMs(7, 2000 + DeadlyRequests::quietMs) == 0);
    requests.noteDeath(7, 2000 + DeadlyRequests::quietMs);  // the former ones are forgotten
    CHECK(requests.refusedForMs(7, 2000 + DeadlyRequests::quietMs) == 0);
}

TEST_CASE("an answer clears a request, and the pause before the next engine")
{
    DeadlyRequests requests;
    requests.noteDeath(7, 0);
    requests.noteDeath(7, 0);
    requests.noteAnswer(7);
    CHECK(requests.refusedForMs(7, 0) == 0);
    CHECK(requests.pauseMs() == 0);
}

TEST_CASE("the pause before the next engine doubles with each that ends unanswered")
{
    DeadlyRequests requests;
    CHECK(requests.pauseMs() == 0);
    requests.noteDeath(1, 0);
    CHECK(requests.pauseMs() == 0);  // an accident costs no time
    requests.noteDeath(2, 0);
    CHECK(requests.pauseMs() == DeadlyRequests::firstPauseMs);
    requests.noteDeath(3, 0);
    CHECK(requests.pauseMs() == 2 * DeadlyRequests::firstPauseMs);
    for (std::size_t request = 4; request < 1000; ++request)
        requests.noteDeath(request, 0);
    CHECK(requests.pauseMs() == DeadlyRequests::longestPauseMs);
}

}  // namespace deadly_requests_test
