// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_info.h"
#include "ui/document/document.h"
#include "ui/document/previews.h"
#include "ui/models/table_model.h"
#include "ui/models/tensor_flags.h"

#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace calibscope {

class TensorModel;

/// The columns of the tensor list, each row a tensor of that model, which must outlive it.
[[nodiscard]] TableDescriptor<int> tensorTable(const TensorModel& model);

/// An SQNR as the list shows it: "28.9"; empty: not known.
[[nodiscard]] QString listedDb(const std::optional<double>& db);

/// A document's tensors in file order. What a row shows beyond names arrives later, tensor by
/// tensor. While another dump is being opened the former one is listed.
class TensorModel : public TableModel<int>
{
    Q_OBJECT

public:
    enum Column {
        Name,
        Flags,
        Distribution,
        Sqnr,
        Layer,
        Decided,
        Shape,
        Type,
        Op,
        Role,
        Diagnosed,
        Gain,
        ColumnCount
    };

    enum DataRole {
        SparklineRole = tableUserRole,  ///< QList<double>, counts in equal columns
        SqnrRole,                       ///< double, dB
        AtLayerRole,                    ///< double, dB
        OneValueRole,                   ///< bool: SqnrRole is that of one value alone
        CopyRole,  ///< what is copied where the text has less: all digits, the name
    };

    /// The document must outlive it.
    explicit TensorModel(const Document& document, QObject* parent = nullptr);

    [[nodiscard]] int tensorCount() const { return rowCount(); }
    [[nodiscard]] const TensorInfo& tensor(int index) const { return m_tensors->at(index); }
    /// Without SQNR where it is of a former recipe; nullptr until it is there.
    [[nodiscard]] const protocol::Preview* preview(int index) const { return m_taken->find(index); }
    /// Its values can be read, as far as it is known.
    [[nodiscard]] bool isReadable(int index) const;
    [[nodiscard]] TensorFlags flagsOf(int index) const;
    /// SQNR at the output of the layer that it is an operand of, it alone quantized; of several
    /// layers the least; nothing where it is not known.
    [[nodiscard]] std::optional<double> atLayer(int index) const;
    /// How many tensors it is known of.
    [[nodiscard]] int atLayerCount() const;
    /// What tensors are ranked by, the worst is the least: those known at a layer's output come
    /// first, by that, then the others by their own SQNR; nothing where neither is known.
    [[nodiscard]] std::optional<std::pair<int, double>> rankOf(int index) const;
    /// dB that the best candidate has over the chosen recipe's choice, 0 where none has enough to
    /// be worth a word; nothing while it is not known.
    [[nodiscard]] std::optional<double> gainOf(int index) const;
    /// The user's statements on it.
    [[nodiscard]] bool isEdited(int index) const { return m_tensors->isEdited(index); }
    [[nodiscard]] bool isPinned(int index) const;
    [[nodiscard]] bool isExcluded(int index) const;
    [[nodiscard]] bool isDecided(int index) const { return decision(index) != nullptr; }
    /// The decision for it; nullptr: none.
    [[nodiscard]] const Decision* decision(int index) const;
    /// Its SQNR; nothing while it is not known.
    [[nodiscard]] std::optional<double> decidedDb(int index) const;
    /// SQNR of what was accepted; of others and while it is not known that of the recipe's choice.
    [[nodiscard]] std::optional<double> shownDb(int index) const;
    /// Could be quantized, but the chosen recipe does not cover it.
    [[nodiscard]] bool isLeftOut(int index) const;
    [[nodiscard]] bool hasDecisions() const;
    /// Those that are pinned, in file order.
    [[nodiscard]] const std::vector<int>& pins() const { return m_pins; }

    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

Q_SIGNALS:
    /// Something is known at a layer's output, or no longer.
    void rankingChanged();
    /// What was reported just now came of what the user did: it is to be seen at once.
    void changedByUser();

private:
    void followDump();
    void followTensors(const std::vector<int>& tensors);
    void follow(const DocumentChange& change);
    void followWorkbench(const Workbench& before, const Workbench& now);
    void reset();
    [[nodiscard]] std::vector<int> pinnedTensors() const;
    void readPins();
    void tellChanged(int tensor) { refresh(tensor); }
    [[nodiscard]] bool isOfDocument() const { return m_tensors == m_document.sharedTensors(); }
    void tellColumns(int first, int last);

    const Document& m_document;
    /// The document's, of the dump that is listed.
    std::shared_ptr<const DumpTensors> m_tensors;
    std::shared_ptr<const Previews::Taken> m_taken;
    std::vector<int> m_pins;
    std::vector<calibscope::Role> m_roles;  ///< by tensor, as they were listed
    /// As far as they were asked for: thousands of rows are sorted by them.
    mutable std::map<int, std::optional<double>> m_gains;
};

}  // namespace calibscope
