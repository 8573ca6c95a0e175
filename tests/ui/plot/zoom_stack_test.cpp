#include "ui/plot/zoom_stack.h"

#include "tests/support/catch.h"

using namespace calibscope;

namespace {

LinkedZoom zoomTo(double low, double high)
{
    return {Range{low, high}, {}};
}

/// A stack with these steps after the first, which shows all.
ZoomStack stackOf(std::initializer_list<LinkedZoom> zooms)
{
    ZoomStack stack;
    for (const LinkedZoom& zoom : zooms) {
        stack.change(zoom);
        stack.commit();
    }
    return stack;
}

}  // namespace

TEST_CASE("a zoom stack begins with all shown and no way to go")
{
    ZoomStack stack;
    CHECK(stack.current() == LinkedZoom());
    CHECK_FALSE(stack.canGoBack());
    CHECK_FALSE(stack.canGoForward());
    CHECK_FALSE(stack.back());
    CHECK_FALSE(stack.forward());
}

TEST_CASE("back and forward give exactly the zooms that were")
{
    ZoomStack stack = stackOf({zoomTo(1, 3), zoomTo(1.1, 1.3)});
    CHECK(stack.back());
    CHECK(stack.current() == zoomTo(1, 3));
    CHECK(stack.back());
    CHECK(stack.current() == LinkedZoom());
    CHECK(stack.forward());
    CHECK(stack.forward());
    CHECK(stack.current() == zoomTo(1.1, 1.3));
    CHECK_FALSE(stack.forward());
}

TEST_CASE("a new zoom after going back forgets the way forward")
{
    ZoomStack stack = stackOf({zoomTo(1, 3), zoomTo(1, 2)});
    stack.back();
    stack.change(zoomTo(5, 6));
    CHECK_FALSE(stack.canGoForward());
    CHECK(stack.commit());
    CHECK_FALSE(stack.forward());
    stack.back();
    CHECK(stack.current() == zoomTo(1, 3));
}

TEST_CASE("changes of one gesture are one step, no change is none")
{
    ZoomStack stack;
    stack.change(zoomTo(1, 3));
    stack.change(zoomTo(1, 2));
    CHECK(stack.commit());
    CHECK_FALSE(stack.commit());
    stack.back();
    CHECK(stack.current() == LinkedZoom());
}

TEST_CASE("a cancelled gesture leaves the last step")
{
    ZoomStack stack = stackOf({zoomTo(1, 3)});
    stack.change(zoomTo(1, 2));
    stack.revert();
    CHECK(stack.current() == zoomTo(1, 3));
}

TEST_CASE("going back in the middle of a gesture ends it first")
{
    ZoomStack stack = stackOf({zoomTo(1, 3)});
    stack.change(zoomTo(1, 2));
    CHECK(stack.canGoBack());
    stack.back();
    CHECK(stack.current() == zoomTo(1, 3));
    stack.forward();
    CHECK(stack.current() == zoomTo(1, 2));
}

TEST_CASE("a cleared stack is a new one")
{
    ZoomStack stack = stackOf({zoomTo(1, 3)});
    stack.clear();
    CHECK(stack.current() == LinkedZoom());
    CHECK_FALSE(stack.canGoBack());
}

TEST_CASE("a long way back loses its beginning, not its end")
{
    ZoomStack stack;
    for (int step = 1; step <= 1000; ++step) {
        stack.change(zoomTo(0, step));
        stack.commit();
    }
    CHECK(stack.current() == zoomTo(0, 1000));
    int steps = 0;
    while (stack.back())
        ++steps;
    CHECK(steps < 1000);
    CHECK(steps > 100);
}
