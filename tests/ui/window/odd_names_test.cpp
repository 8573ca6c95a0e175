// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/h5_file.h"
#include "tests/support/shown_window.h"
#include "ui/document/workspace.h"

#include <QAction>
#include <QLabel>
#include <QPixmap>
#include <QStatusBar>
#include <QToolTip>

#include <sys/inotify.h>
#include <unistd.h>

#include <array>

namespace odd_names_test {

using namespace calibscope;
using namespace calibscope::test;

/// Tells whether anybody opened a file.
class OpenWatch
{
public:
    explicit OpenWatch(const std::string& path) : m_watch(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC))
    {
        REQUIRE(::inotify_add_watch(m_watch, path.c_str(), IN_OPEN | IN_ACCESS) >= 0);
    }
    ~OpenWatch() { ::close(m_watch); }
    OpenWatch(const OpenWatch&) = delete;
    OpenWatch& operator=(const OpenWatch&) = delete;

    bool wasOpened() const
    {
        std::array<char, 4096> events{};
        return ::read(m_watch, events.data(), events.size()) > 0;
    }

private:
    int m_watch;
};

TEST_CASE("HTML in names and attributes of a dump is shown as it is, and opens no file")
{
    H5File file;
    const std::string picture = file.folder().file("picture.png");
    QPixmap pixels(600, 400);
    pixels.fill(Qt::red);
    REQUIRE(pixels.save(QString::fromStdString(picture)));
    // An HDF5 name has no slash: the picture lies beside.
    const std::string html = "<img src='picture.png'><h1>&amp; A & B";
    const std::string attribute = "<img src='" + picture + "'>";
    file.attribute("/", "model", attribute);
    file.attribute("/", "format", std::string("calibration-dump"));
    std::vector<float> values(4096);
    for (std::size_t index = 0; index < values.size(); ++index)
        values[index] = static_cast<float>(index) * 0.01F;
    const std::string dataset = "activations/" + html;
    file.write(dataset, {8, 512}, values);
    file.attribute(dataset, "op_type", attribute);
    file.attribute(dataset, "layout", attribute);
    file.attribute(dataset, "inputs", std::vector<std::string>{attribute, html});
    file.softLink("activations/<a href='picture.png'>x", "/<s>nowhere<img src=picture.png>");
    const OpenWatch watch(picture);
    const auto formerFolder = std::filesystem::current_path();
    std::filesystem::current_path(file.folder().path());

    ShownWindow test;
    test.window->open(QString::fromStdString(file.path()));
    REQUIRE(test.waitForDump());
    const auto texts = [&test] {
        QStringList all;
        for (const auto* label : test.window->findChildren<QLabel*>()) {
            INFO(label->text().toStdString());
            CHECK(label->textFormat() != Qt::AutoText);
            all += label->text();
        }
        return all;
    };
    const auto lookAround = [&test] {
        test.window->grab();
        for (const auto* widget : test.window->findChildren<QWidget*>())
            if (widget->toolTip().contains('<')) {
                QToolTip::showText(QPoint(5, 5), widget->toolTip());
                QTest::qWait(1);
            }
        QToolTip::hideText();
    };
    CHECK(texts().join('\n').contains(QString::fromStdString(attribute)));
    lookAround();
    test.trigger("tensor.first");
    REQUIRE(test.waitForView());
    for (const Workspace workspace :
         {Workspace::Browse, Workspace::Calibrators, Workspace::Channels, Workspace::Summary}) {
        test.window->showWorkspace(workspace);
        QTest::qWait(50);
        lookAround();
        (void)texts();
    }
    CHECK_FALSE(watch.wasOpened());
    std::filesystem::current_path(formerFolder);
}

}  // namespace odd_names_test
