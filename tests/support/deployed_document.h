// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/deploy_samples.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tested_document.h"
#include "ui/document/decisions.h"
#include "ui/document/deployment.h"

#include <QFile>
#include <QString>
#include <QTest>

#include <fstream>
#include <string>
#include <vector>

namespace calibscope::test {

/// An open dump, and what is to be written of it by a program that is a script of the shell.
struct DeployedDocument : TestedDocument
{
    DeployedDocument() { openDump(); }

    void decide()
    {
        (void)acceptRecipe(document, {weight, a}, "");
        REQUIRE(decidedCount(document) == 2);
    }
    void choosePaths()
    {
        DeployOptions options = deployment.options();
        options.model = "m.onnx";
        options.output = QString::fromStdString(folder.file("q.onnx"));
        deployment.setOptions(options);
    }
    /// What stands in for calib; its words are "$@".
    void setTool(const std::string& script)
    {
        const QString path = QString::fromStdString(folder.file("tool"));
        QFile file(path);
        REQUIRE(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n" + QByteArray::fromStdString(script) + "\n");
        file.setPermissions(file.permissions() | QFile::ExeOwner);
        file.close();
        deployment.tool().setProgram(path);
    }
    /// The model has these inputs that were not recorded, and outputs.
    void answerPorts(std::vector<std::string> unrecorded, std::vector<std::string> outputs = {"y"})
    {
        REQUIRE_FALSE(background.ports.empty());
        FakeEngine::answer(background.ports, {std::move(unrecorded), std::move(outputs)});
    }
    /// A script that prints a text.
    [[nodiscard]] std::string printing(const std::string& text) const
    {
        QFile file(QString::fromStdString(folder.file("answer")));
        REQUIRE(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(text));
        return "cat '" + folder.file("answer") + "'";
    }

    TemporaryFolder folder;
    QString saved;  ///< where the session was saved last
    Deployment deployment{document,
                          [this](const QString& path, std::function<void(const QString&)> told) {
                              saved = path;
                              told({});
                          }};
};

inline bool waitForEnd(const Deployment& deployment)
{
    return QTest::qWaitFor([&] { return !deployment.running(); }, 20000);
}

/// Adds its words to a file, and answers as each command of calib does.
inline std::string answeringTool(const DeployedDocument& test)
{
    const auto answer = [&test](const std::string& name, const std::string& text) {
        std::ofstream(test.folder.file(name)) << text;
        return "cat '" + test.folder.file(name) + "'";
    };
    return "echo \"$@\" >> '" + test.folder.file("words") + "'\ncase $1 in\nimprove) " +
           answer("rows", improvedJson()) +
           "; while [ $# -gt 1 ]; do [ \"$1\" = -o ] && printf remedies > \"$2\"; shift; "
           "done;;\ncheck) " +
           answer("check", checkJson(someCheck())) + ";;\nesac";
}

/// The commands so far.
inline std::vector<std::string> commandsOf(const DeployedDocument& test)
{
    std::vector<std::string> lines;
    std::ifstream file(test.folder.file("words"));
    for (std::string line; std::getline(file, line);)
        lines.push_back(line);
    return lines;
}

}  // namespace calibscope::test
