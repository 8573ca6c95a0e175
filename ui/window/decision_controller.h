#pragma once

#include "ui/document/document.h"
#include "ui/document/session_keeper.h"
#include "ui/queries/engine.h"

#include <QObject>
#include <QString>

#include <string>
#include <vector>

namespace calibscope {

class DecisionExport;
class MessageController;
class TensorListController;

/// Settles tensors on calibrators, one or all that are listed, and writes what was decided.
class DecisionController : public QObject
{
    Q_OBJECT

public:
    /// `background` computes what is exported. All must outlive this.
    DecisionController(Document& document, Engine& background, SessionKeeper& keeper,
                       MessageController& messages, TensorListController& list, QWidget& window);

    void settleSelected();
    void unsettleSelected();
    /// All that the filter lets through, on what the selected one would be settled on.
    void settleShown();
    void unsettleShown();
    /// What is not settled yet, each tensor on what the chosen recipe does with it.
    void settleByRecipe();
    void exportAll();

private:
    [[nodiscard]] std::string candidateToAccept() const;
    void settleMany(const std::vector<int>& tensors, bool byRecipe);
    void write(const QString& path, const DecisionExport& job);

    Document& m_document;
    Engine& m_background;
    SessionKeeper& m_keeper;
    MessageController& m_messages;
    TensorListController& m_list;
    QWidget& m_window;
};

}  // namespace calibscope
