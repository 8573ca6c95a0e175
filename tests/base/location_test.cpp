// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/location.h"

#include "core/base/error.h"
#include "tests/support/catch.h"

#include <cstdlib>
#include <string>

namespace location_test {

using namespace calibscope;
using calibscope::test::containsText;

TEST_CASE("an address names machine and path, and is printed as it was given")
{
    const Location plain = parseLocation("ssh://cluster/data/run 1/a.h5");
    CHECK(plain == Location{.user = {}, .host = "cluster", .path = "/data/run 1/a.h5"});
    CHECK(plain.address() == "ssh://cluster/data/run 1/a.h5");
    CHECK(plain.machine() == "cluster");

    const Location full = parseLocation("ssh://an.na_1-x@node-7.example:2222/a.h5");
    CHECK(full ==
          Location{.user = "an.na_1-x", .host = "node-7.example", .port = 2222, .path = "/a.h5"});
    CHECK(full.machine() == "an.na_1-x@node-7.example:2222");
    CHECK(full.address() == "ssh://an.na_1-x@node-7.example:2222/a.h5");

    const Location six = parseLocation("ssh://[fe80::1]:22/a.h5");
    CHECK(six.host == "fe80::1");
    CHECK(six.port == 22);
    CHECK(six.address() == "ssh://[fe80::1]:22/a.h5");
}

TEST_CASE("a path below the home folder is relative there")
{
    const Location home = parseLocation("ssh://h/~/runs/a.h5");
    CHECK(home.path == "runs/a.h5");
    CHECK(home.address() == "ssh://h/~/runs/a.h5");
    CHECK(parseLocation("ssh://h/~other/a.h5").path == "/~other/a.h5");
    CHECK(parseLocation("ssh://h/a/~/b.h5").path == "/a/~/b.h5");
}

TEST_CASE("a path here stays as it is, whatever it looks like")
{
    for (const std::string text :
         {"a.h5", "/d/a%20b.h5", "ssh:/x", "SSH://h/a", "-oProxyCommand=x", "http://h/a", ""}) {
        const Location here = parseLocation(text);
        CHECK_FALSE(here.isRemote());
        CHECK(here.path == text);
        CHECK(here.address() == text);
        CHECK(here.machine().empty());
        CHECK(parseTensorAddress(text).location == here);
    }
}

TEST_CASE("paths are percent-decoded, and encoded where they would mean something else")
{
    CHECK(parseLocation("ssh://h/a%20%25%3a%C3%A9").path == "/a %:\xc3\xa9");
    for (const std::string path :
         {"/a::b", "/100%", "/line\nfeed", "/%2F", "/\xc3\xa9\x7f x", "rel/:"}) {
        const Location location{.user = {}, .host = "h", .path = path};
        CHECK(parseLocation(location.address()) == location);
        CHECK(parseTensorAddress(location.address()).location == location);
        CHECK(parseTensorAddress(location.address() + "::/conv1").tensor == "/conv1");
    }
    for (const std::string wrong :
         {"ssh://h/%", "ssh://h/%4", "ssh://h/a%zz", "ssh://h/%+1", "ssh://h/a%00b"})
        CHECK_THROWS_AS(parseLocation(wrong), Error);
}

TEST_CASE("a tensor is named behind two colons")
{
    const TensorAddress named = parseTensorAddress("ssh://[::1]/d/a.h5::/conv1/weight%20x");
    CHECK(named.location.host == "::1");
    CHECK(named.location.path == "/d/a.h5");
    CHECK(named.tensor == "/conv1/weight x");
    CHECK(parseTensorAddress("ssh://h/a.h5::x::y").tensor == "x::y");
    CHECK(parseTensorAddress("ssh://h/a.h5").tensor.empty());
}

TEST_CASE("what ssh would take for an option, and all that is not an address, is refused")
{
    const auto refuses = [](const std::string& address, const std::string& why) {
        CHECK_THROWS_WITH(parseLocation(address), containsText(why));
        CHECK_THROWS_WITH(parseTensorAddress(address + "::x"), containsText(why));
    };
    refuses("ssh://-oProxyCommand=touch%20x/a.h5", "begins with \"-\"");
    refuses("ssh://-oProxyCommand=x@host/a.h5", "begins with \"-\"");
    refuses("ssh://user@-host/a.h5", "begins with \"-\"");
    refuses("ssh://[-x]/a.h5", "begins with \"-\"");
    refuses("ssh://a b/a.h5", "other than letters");
    refuses("ssh://a;b/a.h5", "other than letters");
    refuses("ssh://$(x)/a.h5", "other than letters");
    refuses("ssh://a\nb/a.h5", "other than letters");
    refuses("ssh://a%41b/a.h5", "other than letters");
    refuses("ssh://\xc3\xa9/a.h5", "other than letters");
    refuses("ssh://u:pass@h/a.h5", "other than letters");
    refuses("ssh://u@v@h/a.h5", "other than letters");
    refuses("ssh://[a]b/a.h5", "followed by something else");
    refuses("ssh://[::1/a.h5", "no \"]\"");
    refuses("ssh://h:0/a.h5", "port");
    refuses("ssh://h:65536/a.h5", "port");
    refuses("ssh://h:22x/a.h5", "port");
    refuses("ssh://h:-1/a.h5", "port");
    refuses("ssh://h:/a.h5", "port");
    refuses("ssh://@h/a.h5", "names no user");
    refuses("ssh:///a.h5", "names no host");
    refuses("ssh://h/", "names no file");
    refuses("ssh://h/~/", "names no file");
    CHECK_THROWS_WITH(parseLocation("ssh://h"), containsText("names no file"));
    try {
        (void)parseLocation("ssh://-x/a.h5");
    } catch (const Error& error) {
        CHECK(error.fault() == Fault::Usage);
    }
    try {
        (void)parseLocation("ssh://" + std::string(100000, '!') + "/a.h5");
    } catch (const Error& error) {
        CHECK(std::string(error.what()).size() < 500);
    }
}

TEST_CASE("a word is one word for a shell, whatever it holds")
{
    CHECK(shellQuoted("/d/a-1_b.h5") == "/d/a-1_b.h5");
    CHECK(shellQuoted("") == "''");
    CHECK(shellQuoted("a folder") == "'a folder'");
    CHECK(shellQuoted("it's $HOME") == "'it'\\''s $HOME'");
    for (const std::string word :
         {"a b", "~", "$(exit 3)", "`x`", "a'b\"c", "*", "x;y", "\\", "#", "!"})
        CHECK(std::system(("test " + shellQuoted(word) + " = \"$(printf %s " + shellQuoted(word) +
                           ")\" && test $(printf %s " + shellQuoted(word) + " | wc -c) -eq " +
                           std::to_string(word.size()))
                              .c_str()) == 0);
}

}  // namespace location_test
