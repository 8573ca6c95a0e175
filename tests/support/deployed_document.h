// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/deploy_samples.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tested_document.h"
#include "ui/document/decisions.h"
#include "ui/document/deployment.h"

#include <QFile>
#include <QString>

#include <string>

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

}  // namespace calibscope::test
