// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_columns.h"

#include "ui/models/tensor_flags.h"
#include "ui/plot/number_label.h"

#include <cmath>

namespace calibscope {

QString gainLabel(const std::optional<double>& db)
{
    if (!db)
        return {};
    return *db > 0.0 ? QStringLiteral("+") + fixedLabel(*db, 1) : QStringLiteral("–");
}

double flagsKey(const QString& letters)
{
    double key = 0.0;
    double weight = 1.0;
    for (const FlagKind& kind : flagKinds()) {
        key -= letters.contains(QChar(kind.letter)) ? weight : 0.0;
        weight /= 2.0;
    }
    return key;
}

double diagnosisKey(const std::vector<TensorFinding>& findings)
{
    double key = 0.0;
    for (const TensorFinding& finding : findings) {
        const int rank = finding.kind == FindingKind::ClippingBound   ? 0
                         : finding.kind == FindingKind::RoundingBound ? 1
                                                                      : 2 + int(finding.kind);
        key -= std::ldexp(1.0, -rank);
    }
    return key;
}

QString tensorColumnHead(TensorModel::Column column, bool isToolTip)
{
    switch (column) {
    case TensorModel::Name:
        return isToolTip ? TensorModel::tr("Name as recorded") : TensorModel::tr("name");
    case TensorModel::Flags:
        return isToolTip
                   ? TensorModel::tr(
                         "What there is to know of the tensor; the legend is behind the button "
                         "? above. Sorts the gravest first")
                   : TensorModel::tr("!");
    case TensorModel::Distribution:
        return isToolTip ? TensorModel::tr(
                               "Counts from the least to the largest value; sorts by the largest "
                               "magnitude")
                         : TensorModel::tr("counts");
    case TensorModel::Sqnr:
        return isToolTip
                   ? TensorModel::tr("Signal to quantization noise under the chosen recipe, in dB. "
                                     "The bar reaches from 0 to 60 dB.")
                   : TensorModel::tr("SQNR");
    case TensorModel::Layer:
        return isToolTip ? TensorModel::tr(
                               "Signal to noise at the output of the layer that the tensor is an "
                               "operand of, the tensor alone quantized, in dB; those not known "
                               "follow by their own SQNR")
                         : TensorModel::tr("layer");
    case TensorModel::Decided:
        return isToolTip ? TensorModel::tr("What was accepted, and its SQNR in dB; sorts by that")
                         : TensorModel::tr("accepted");
    case TensorModel::Shape:
        return isToolTip ? TensorModel::tr("Shape; sorts by the number of values")
                         : TensorModel::tr("shape");
    case TensorModel::Type:
        return isToolTip
                   ? TensorModel::tr(
                         "Element type, and how it is read; ≈: float32 can't represent every value")
                   : TensorModel::tr("type");
    case TensorModel::Op:
        return isToolTip ? TensorModel::tr("Operation that produces or uses the tensor")
                         : TensorModel::tr("op");
    case TensorModel::Role:
        return isToolTip ? TensorModel::tr("Activation or weight") : TensorModel::tr("role");
    case TensorModel::Diagnosed:
        return isToolTip ? TensorModel::tr(
                               "Findings about the tensor, the composition of its error first")
                         : TensorModel::tr("diagnosis");
    case TensorModel::Gain:
        return isToolTip
                   ? TensorModel::tr(
                         "SQNR of the best calibrator less that of the recipe's choice, in dB; "
                         "known of all once all tensors were computed (Ctrl+R)")
                   : TensorModel::tr("gain");
    case TensorModel::ColumnCount: break;
    }
    return {};
}

}  // namespace calibscope
