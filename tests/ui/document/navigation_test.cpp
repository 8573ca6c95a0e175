#include "ui/document/navigation.h"

#include "tests/support/catch.h"

using namespace calibscope;

TEST_CASE("back leads to where one was, forward to where one came from")
{
    Navigation navigation;
    CHECK_FALSE(navigation.canGoBack());
    CHECK_FALSE(navigation.back());
    for (const char* path : {"/a", "/b", "/c"})
        navigation.visit(path);
    CHECK(navigation.back() == "/b");
    CHECK(navigation.back() == "/a");
    CHECK_FALSE(navigation.canGoBack());
    CHECK(navigation.forward() == "/b");
    CHECK(navigation.forward() == "/c");
    CHECK_FALSE(navigation.forward());
}

TEST_CASE("going somewhere else forgets what lay ahead")
{
    Navigation navigation;
    for (const char* path : {"/a", "/b", "/c"})
        navigation.visit(path);
    (void)navigation.back();
    navigation.visit("/d");
    CHECK_FALSE(navigation.canGoForward());
    CHECK(navigation.back() == "/b");
}

TEST_CASE("staying where one is leaves no trace")
{
    Navigation navigation;
    navigation.visit("/a");
    navigation.visit("/b");
    (void)navigation.back();
    navigation.visit("/a");
    CHECK(navigation.forward() == "/b");
}

TEST_CASE("places of long ago are forgotten")
{
    Navigation navigation;
    for (int place = 0; place < 1000; ++place)
        navigation.visit(std::to_string(place));
    std::string last;
    int steps = 0;
    while (const std::optional<std::string> path = navigation.back()) {
        last = *path;
        ++steps;
    }
    CHECK(steps == 199);
    CHECK(last == "800");
}
