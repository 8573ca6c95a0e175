// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/message_log.h"

#include "tests/support/catch.h"

#include <QAbstractItemModelTester>

namespace message_log_test {

using namespace calibscope;

TEST_CASE("messages are kept in the order of time, with their kind")
{
    MessageLog log;
    const QAbstractItemModelTester tester(&log,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    log.add(MessageLog::Kind::Note, "a.h5 was opened.");
    log.add(MessageLog::Kind::Problem, "The engine ended.");
    REQUIRE(log.rowCount() == 2);
    CHECK(log.index(0, MessageLog::Text).data().toString() == "a.h5 was opened.");
    CHECK(log.index(1, MessageLog::KindColumn).data().toString() == "problem");
    CHECK(
        QTime::fromString(log.index(1, MessageLog::Time).data().toString(), "HH:mm:ss").isValid());
}

TEST_CASE("messages are copied as lines whose time has its date")
{
    MessageLog log;
    log.add(MessageLog::Kind::Warning, "one");
    log.add(MessageLog::Kind::Note, "two");
    const QStringList parts = log.text({0}).trimmed().split('\t');
    REQUIRE(parts.size() == 3);
    CHECK(QDateTime::fromString(parts[0], Qt::ISODate).isValid());
    CHECK(parts[1] == "warning");
    CHECK(parts[2] == "one");
    CHECK(log.text().count('\n') == 2);
}

TEST_CASE("the oldest messages go, so that the log stays small")
{
    MessageLog log;
    const QAbstractItemModelTester tester(&log,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    for (std::size_t number = 0; number < MessageLog::most + 5; ++number)
        log.add(MessageLog::Kind::Note, QString::number(number));
    CHECK(log.rowCount() == static_cast<int>(MessageLog::most));
    CHECK(log.index(0, MessageLog::Text).data().toString() == "5");
    log.clear();
    CHECK(log.rowCount() == 0);
    CHECK(log.text().isEmpty());
}

}  // namespace message_log_test
