// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <QString>
#include <QStringList>

namespace calibscope {

/// Options for the written model and its check. Words are those of the command line.
struct DeployOptions
{
    QString model;   ///< the recorded one; empty: not chosen yet
    QString output;  ///< empty: not chosen yet
    QString places = QStringLiteral("layers");
    QString activations = QStringLiteral("int8");
    QString biases = QStringLiteral("float");
    QString target = QStringLiteral("any");
    QString weightsTo = QStringLiteral("auto");
    QString runner;        ///< empty: the one that comes with calib
    int samples = 0;       ///< 0: all
    int draws = 0;         ///< of rounding errors, next to the check itself
    bool improves = true;  ///< with the remedies that are ticked
    bool operator==(const DeployOptions&) const = default;
};

enum class DeployStep {
    Plan,
    Write,
    Check,
    Improve,        ///< remedies of layers and their gains
    Climb,          ///< models with one remedy after the other, run
    WriteImproved,  ///< the remedies that are ticked, or a model with those that hold at its end
    Measure,        ///< the table of the network's end, as far as it lacks what is decided
    Shares,         ///< of the noise at the network's end, from its table; nothing is run
    Best,           ///< choices with the least noise at the end, from the same table
    Budget,         ///< cost against the SQNR at the end, from it, too
};

/// The words of `calib` for a step. What it refers to must outlive it.
struct DeployCommand
{
    const Document& document;
    const DeployOptions& options;
    QString session;
    QString remediesFile = {};    ///< for the model; empty: none
    QString improvedPath = {};    ///< what WriteImproved writes
    QString remediesWanted = {};  ///< where Improve writes them; empty: nowhere

    /// Without the program.
    [[nodiscard]] QStringList words(DeployStep step) const;
    /// Those that make its output one for parsers, and report progress.
    [[nodiscard]] static QStringList wordsOfOutput(DeployStep step);
    /// It runs models with one remedy after the other.
    [[nodiscard]] bool climbs(DeployStep step) const;
    [[nodiscard]] bool runsModels(DeployStep step) const
    {
        return step == DeployStep::Check || step == DeployStep::Measure || climbs(step);
    }
    /// The table of the network's end, next to the dump: NAME.end.json.
    [[nodiscard]] QString endFile() const;

private:
    [[nodiscard]] QStringList written(DeployStep step) const;
    [[nodiscard]] QStringList checked() const;
    [[nodiscard]] QStringList improved(DeployStep step) const;
    [[nodiscard]] QStringList atEnd(DeployStep step) const;
    [[nodiscard]] QStringList run(bool isAtEnd) const;
};

}  // namespace calibscope
