#pragma once

#include "ui/document/deployment.h"

#include <QAbstractTableModel>

#include <vector>

namespace calibscope {

/// The decided tensors of the shown dump, what is to be written of each, and what is odd about it.
class DeployDecisionModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Tensor, Role, Decision, WrittenAs, Lints, ColumnCount };
    enum ItemRole {
        TensorRole = Qt::UserRole + 1,  ///< index in the dump; -1: the lints of the whole model
        SortRole,
        LevelRole,  ///< of its worst lint: 0 none, 1 note, 2 warning, 3 error
    };

    explicit DeployDecisionModel(const Deployment& deployment, QObject* parent = nullptr);
    void refresh();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    struct Row
    {
        int tensor = -1;
        QString name;
        QString role;
        QString decision;
        QString written;
        QStringList lints;
        int level = 0;
    };
    void addDecisions();
    void addPlan(const DeployPlan& plan);
    [[nodiscard]] Row& rowOf(const std::string& dumpTensor, const std::string& tensor);

    const Deployment& m_deployment;
    std::vector<Row> m_rows;
};

/// What the check found of each tensor.
class DeployCheckModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Tensor, OwnDb, LayerDb, RunningDb, Drop, MaxError, Op, ColumnCount };
    enum ItemRole {
        SortRole = Qt::UserRole + 1,  ///< a number, or a text; nothing where there is none
        NameRole,                     ///< the graph's
    };
    /// A drop from which on a tensor stands out.
    static constexpr double largeDropDb = 6.0;

    explicit DeployCheckModel(const Deployment& deployment, QObject* parent = nullptr);
    void refresh();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    const Deployment& m_deployment;
    std::vector<TensorCheck> m_tensors;
};

/// An output's agreement in a line: "y: 17.4 dB as written (15.2 to 21.0), 17.3 dB as fused".
[[nodiscard]] QString outputSentence(const OutputCheck& output);

}  // namespace calibscope
