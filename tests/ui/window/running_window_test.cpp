// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "ui/window/running_window.h"

#include <QApplication>
#include <QDialog>
#include <QFile>
#include <QFileInfo>
#include <QLocalSocket>
#include <QTemporaryDir>
#include <QTest>

#include <future>
#include <memory>

namespace running_window_test {

using namespace calibscope;

/// A folder for sockets, and the requests that a window there was asked for.
struct Desk
{
    QString address() const { return folder.filePath("window"); }
    std::unique_ptr<RunningWindow> window()
    {
        return std::make_unique<RunningWindow>(
            address(), [this](const HandedFiles& request) { requests.push_back(request); });
    }
    /// As another program asks, while this one handles events.
    bool isTaken(const HandedFiles& request) const
    {
        auto answer = std::async(std::launch::async, [this, &request] {
            return RunningWindow::take(address(), request);
        });
        while (answer.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready)
            QTest::qWait(1);
        return answer.get();
    }

    QTemporaryDir folder;
    std::vector<HandedFiles> requests;
};

TEST_CASE("a second start hands its files over to the window that runs")
{
    Desk desk;
    const auto window = desk.window();
    REQUIRE(window->isListening());
    const HandedFiles first{.files = {"/a dump.h5::/conv1", "ssh://host/größe.h5"},
                            .allowExternal = true};
    const HandedFiles second;
    CHECK(desk.isTaken(first));
    CHECK(desk.isTaken(second));
    CHECK(desk.requests == std::vector{first, second});
}

TEST_CASE("a window with an open question takes nothing over")
{
    Desk desk;
    const auto window = desk.window();
    QDialog question;
    question.setModal(true);
    question.show();
    REQUIRE(QTest::qWaitFor([] { return QApplication::activeModalWidget() != nullptr; }));
    CHECK_FALSE(desk.isTaken({}));
    question.close();
    CHECK(desk.isTaken({}));
    CHECK(desk.requests.size() == 1);
}

TEST_CASE("without a window nothing is taken over")
{
    Desk desk;
    CHECK_FALSE(desk.isTaken({}));
    desk.window();
    CHECK_FALSE(desk.isTaken({}));
}

TEST_CASE("of two windows the first listens")
{
    Desk desk;
    const auto first = desk.window();
    auto second = desk.window();
    CHECK(first->isListening());
    CHECK_FALSE(second->isListening());
    second.reset();
    CHECK(desk.isTaken({}));
}

TEST_CASE("a socket that a killed window left behind is replaced")
{
    Desk desk;
    QFile left(desk.address());
    REQUIRE(left.open(QFile::WriteOnly));
    left.close();
    CHECK_FALSE(desk.isTaken({}));
    const auto window = desk.window();
    CHECK(window->isListening());
    CHECK(desk.isTaken({}));
}

TEST_CASE("only the same user can connect")
{
    Desk desk;
    const auto window = desk.window();
    const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
    CHECK_FALSE((QFile::permissions(desk.address()) & others));
}

TEST_CASE("bytes that are no request, or another version's, are not answered")
{
    Desk desk;
    const auto window = desk.window();
    QByteArray bytes;
    SECTION("too few")
    {
        bytes = QByteArray(3, '\x01');
    }
    SECTION("a text longer than the bytes")
    {
        bytes = QByteArray("\x7f\xff\xff\xf0", 4) + "abc";
    }
    SECTION("more than a request may have")
    {
        bytes = QByteArray(3 << 20, '\x01');
    }
    SECTION("another version")
    {
        QDataStream stream(&bytes, QIODevice::WriteOnly);
        stream.setVersion(QDataStream::Qt_6_4);
        stream << QStringLiteral("0.0.0") << QStringList{"/a.h5"} << false;
    }
    QLocalSocket socket;
    socket.connectToServer(desk.address());
    REQUIRE(socket.waitForConnected());
    socket.write(bytes);
    QTest::qWait(50);
    CHECK(socket.readAll().isEmpty());
    CHECK(desk.requests.empty());
    CHECK(desk.isTaken({}));
}

}  // namespace running_window_test
