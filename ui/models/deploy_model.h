// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/running_content.h"
#include "ui/charts/whiskers.h"
#include "ui/document/deployment.h"
#include "ui/models/table_model.h"

#include <QStringList>

#include <vector>

namespace calibscope {

/// A decided tensor of the shown dump.
struct DeployRow
{
    int tensor = -1;  ///< index in the dump; -1: the findings are of the whole model
    QString name;
    QString decision;
    QString written = {};    ///< form in the model; empty: not planned
    bool isPlanned = false;  ///< to be in the model
    QStringList lints = {};
    int level = 0;  ///< of its worst finding: 0 none, 1 note, 2 warning, 3 error
};

[[nodiscard]] std::vector<DeployRow> deployRows(const Deployment& deployment);

struct DeployColumn
{
    enum { Tensor, Decision, WrittenAs, Lints };
};

/// The decided tensors, their form in the model, and the findings about each.
[[nodiscard]] TableDescriptor<DeployRow> deployTable();

struct CheckColumn
{
    enum { Tensor, OwnDb, LayerDb, RunningDb, Drop, MaxError, Op };
};

/// The drop from which on a tensor stands out: at least 6 dB, and among the three largest ones, as
/// behind the first loss most tensors have a large drop.
[[nodiscard]] double standingOutDropDb(const std::vector<TensorCheck>& tensors);

/// Result of the check for each tensor. `standsOutDb`: standingOutDropDb() of the rows; it must
/// outlive the table.
[[nodiscard]] TableDescriptor<TensorCheck> checkTable(const double& standsOutDb);

/// The report along the network, with the outputs at its end.
[[nodiscard]] std::vector<RunningMark> runningMarks(const CheckReport& report, double standsOutDb);
/// Its own scale alone costs about as much as all of the network: another range for it is the
/// remedy, else its layer's operands. Of a weight it is always.
[[nodiscard]] bool isOwnScaleAtFault(const TensorCheck& tensor);
/// "`/b`: 17.5 dB below its layers; its own scale costs little, so its layer's operands do".
[[nodiscard]] QString dropSentence(const TensorCheck& tensor);

/// What of an output's SQNR is luck: a bar from the lowest draw to the highest, a line at the mean of
/// their noise, a dot where the check itself is. Outputs without draws or with infinite figures
/// have no row.
[[nodiscard]] std::vector<WhiskerRow> drawRows(const std::vector<OutputCheck>& outputs);

/// An output's agreement in a line: "y: 17.4 dB as written (median sample 17.9, least 15.2), 17.3 dB
/// as fused".
[[nodiscard]] QString outputSentence(const OutputCheck& output);

}  // namespace calibscope
