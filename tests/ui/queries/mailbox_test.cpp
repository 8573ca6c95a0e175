// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/mailbox.h"

#include "tests/support/catch.h"

#include <QThread>

#include <chrono>
#include <future>
#include <vector>

namespace mailbox_test {

using namespace calibscope;

TEST_CASE("letters are read in the thread of the mailbox, in order, one at a time")
{
    QThread thread;
    thread.start();
    auto* mailbox = new Mailbox;
    mailbox->moveToThread(&thread);
    QObject::connect(&thread, &QThread::finished, mailbox, &QObject::deleteLater);

    std::vector<int> read;
    const QThread* reader = nullptr;
    for (int number = 0; number < 100; ++number) {
        mailbox->post([&, number] {
            read.push_back(number);
            reader = QThread::currentThread();
        });
    }
    // The thread sanitizer does not see what QThread::wait() waits for.
    std::promise<void> all;
    mailbox->post([&] {
        thread.quit();
        all.set_value();
    });
    REQUIRE(all.get_future().wait_for(std::chrono::seconds(10)) == std::future_status::ready);
    REQUIRE(thread.wait(10'000));

    REQUIRE(read.size() == 100);
    for (int number = 0; number < 100; ++number)
        CHECK(read[static_cast<std::size_t>(number)] == number);
    CHECK(reader == &thread);
}

TEST_CASE("letters that nobody reads end with the mailbox")
{
    auto held = std::make_shared<int>(1);
    {
        Mailbox mailbox;
        mailbox.post([held] {});
        CHECK(held.use_count() == 2);
    }
    CHECK(held.use_count() == 1);
}

}  // namespace mailbox_test
