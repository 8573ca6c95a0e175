// SPDX-License-Identifier: GPL-3.0-or-later
// Looks at the sources of the window for texts that are shown untranslated.
#include "tests/support/catch.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

namespace translated_texts_test {

/// A call that shows its text, given a literal with a word in it rather than tr(...).
const QRegularExpression untranslated(
    "\\b(setText|setToolTip|setStatusTip|setWhatsThis|setWindowTitle|setTitle|"
    "setPlaceholderText|setAccessibleName|setAccessibleDescription|setSuffix|setPrefix|addTab|"
    "addAction|addRow|addItem|addMenu|say|QLabel|QPushButton|QCheckBox|QRadioButton|QGroupBox|"
    "QDockWidget|QMessageBox)\\(\\s*(QStringLiteral\\(|QString\\()?u?\"(?=[^\"]*[A-Za-z]{3})");

QStringList findingsIn(const QString& source)
{
    QStringList findings;
    auto matches = untranslated.globalMatch(source);
    while (matches.hasNext())
        findings += source.mid(matches.next().capturedStart(), 80).simplified();
    return findings;
}

TEST_CASE("the search for untranslated texts finds them, and lets translated ones pass")
{
    CHECK(findingsIn("label->setText(\"Hello there\");").size() == 1);
    CHECK(findingsIn("label->setText(QStringLiteral(\"Hello\"));").size() == 1);
    CHECK(findingsIn("new QLabel(\n    \"Hello\", this)").size() == 1);
    CHECK(findingsIn("label->setText(tr(\"Hello there\"));").isEmpty());
    CHECK(findingsIn("label->setText(QStringLiteral(\"%1  %2\"));").isEmpty());
    CHECK(findingsIn("setObjectName(\"toolBar\");").isEmpty());
}

TEST_CASE("the window shows no text that can't be translated")
{
    QDirIterator files(QStringLiteral(CALIBSCOPE_SOURCE_DIR "/ui"), {"*.cpp"}, QDir::Files,
                       QDirIterator::Subdirectories);
    int count = 0;
    while (files.hasNext()) {
        QFile file(files.next());
        REQUIRE(file.open(QIODevice::ReadOnly));
        const QStringList findings = findingsIn(QString::fromUtf8(file.readAll()));
        CAPTURE(file.fileName().toStdString(), findings.join('\n').toStdString());
        CHECK(findings.isEmpty());
        ++count;
    }
    CHECK(count > 50);
}

}  // namespace translated_texts_test
