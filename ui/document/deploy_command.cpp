// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/deploy_command.h"

#include "core/base/number_text.h"

#include <QFileInfo>

#include <string>

namespace calibscope {

using Step = DeployStep;

QStringList DeployCommand::words(Step step) const
{
    QStringList words;
    switch (step) {
    case Step::Plan:
    case Step::Write: words = written(step); break;
    case Step::Check: words = checked(); break;
    case Step::Improve:
    case Step::Climb:
    case Step::WriteImproved: words = improved(step); break;
    case Step::Measure:
    case Step::Shares:
    case Step::Best:
    case Step::Budget: words = atEnd(step); break;
    }
    if (document.allowsExternal())
        words << QStringLiteral("--allow-external");
    return words;
}

QStringList DeployCommand::wordsOfOutput(Step step)
{
    QStringList words;
    if (step >= Step::Check)
        words << QStringLiteral("--format") << QStringLiteral("json");
    if (step >= Step::Check && step <= Step::Measure)
        words << QStringLiteral("--progress");
    return words;
}

bool DeployCommand::climbs(Step step) const
{
    return step == Step::Climb ||
           (step == Step::WriteImproved && improvedPath.endsWith(QStringLiteral(".onnx")));
}

QString DeployCommand::endFile() const
{
    const QFileInfo dump(document.path());
    return dump.path() + u'/' + dump.completeBaseName() + QStringLiteral(".end.json");
}

QStringList DeployCommand::written(Step step) const
{
    QStringList words{QStringLiteral("materialize"),   document.path(),
                      QStringLiteral("--session"),     session,
                      QStringLiteral("--onnx"),        options.model,
                      QStringLiteral("--places"),      options.places,
                      QStringLiteral("--activations"), options.activations,
                      QStringLiteral("--bias"),        options.biases,
                      QStringLiteral("--target"),      options.target,
                      QStringLiteral("--weights-to"),  options.weightsTo};
    if (!remediesFile.isEmpty())
        words << QStringLiteral("--improve") << remediesFile;
    if (step == Step::Plan)
        words << QStringLiteral("--plan");
    else
        words << QStringLiteral("-o") << options.output;
    return words;
}

QStringList DeployCommand::checked() const
{
    return QStringList{QStringLiteral("check"),
                       options.model,
                       options.output,
                       document.path(),
                       QStringLiteral("--samples"),
                       QString::number(options.samples),
                       QStringLiteral("--draws"),
                       QString::number(options.draws)} +
           run(false);
}

QStringList DeployCommand::improved(Step step) const
{
    QStringList words{QStringLiteral("improve"), document.path(), QStringLiteral("--session"),
                      session};
    if (!options.model.isEmpty())
        words << QStringLiteral("--onnx") << options.model;
    for (const std::string& remedy : document.workbench().leftOut)
        words << QStringLiteral("--without") << QString::fromStdString(remedy);
    if (climbs(step)) {
        words << QStringLiteral("--ladder") << QStringLiteral("--places") << options.places;
        if (document.workbench().run.isSequential)
            words << QStringLiteral("--sequential");
        words << run(true);
    }
    const QString& file = step == Step::WriteImproved ? improvedPath : remediesWanted;
    if (step != Step::Climb && !file.isEmpty())
        words << QStringLiteral("-o") << file;
    return words;
}

QStringList DeployCommand::atEnd(Step step) const
{
    QStringList words{
        QStringLiteral("improve"), document.path(), QStringLiteral("--session"), session,
        QStringLiteral("--onnx"),  options.model,   QStringLiteral("--end"),     endFile()};
    if (step == Step::Shares)
        words << QStringLiteral("--known");
    else if (step == Step::Best)
        words << QStringLiteral("--best");
    else if (step == Step::Budget)
        words << QStringLiteral("--budget");
    else
        words << run(true);
    return words;
}

QStringList DeployCommand::run(bool isAtEnd) const
{
    const ModelRun& run = document.workbench().run;
    QStringList words;
    if (!options.runner.trimmed().isEmpty())
        words << QStringLiteral("--runner") << options.runner;
    for (const auto& [input, value] : run.feeds)
        words << QStringLiteral("--feed")
              << QString::fromStdString(input + '=' + numberText(value));
    if (isAtEnd && !run.end.empty())
        words << QStringLiteral("--at") << QString::fromStdString(run.end);
    return words;
}

}  // namespace calibscope
