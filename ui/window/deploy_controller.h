// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/deployment.h"
#include "ui/document/session_keeper.h"

#include <QObject>

namespace calibscope {

class DeployPage;
class ImprovePage;
class WorkspaceTabs;

/// Writes, checks and improves a quantized model from the decisions: its pages, and the files that
/// they ask for.
class DeployController : public QObject
{
    Q_OBJECT

public:
    /// Adds its page to `pages`. All must outlive this.
    DeployController(Document& document, SessionKeeper& keeper, WorkspaceTabs& pages);

    /// Adds the page of improvements.
    void addImprovePage();

    [[nodiscard]] DeployPage& page() const { return *m_page; }
    [[nodiscard]] ImprovePage& improvePage() const { return *m_improvePage; }
    [[nodiscard]] Deployment& deployment() { return m_deployment; }

    /// Whether one was chosen.
    bool askForModel();
    void askForOutput();
    /// For what is ticked, or a model of it; then writes it.
    void askForImproved();
    /// The model that the dump was recorded from. Where nothing was said of the output yet, it is
    /// proposed beside it.
    void setModel(const QString& path);

private:
    Document& m_document;
    SessionKeeper& m_keeper;
    WorkspaceTabs& m_pages;
    Deployment m_deployment;
    DeployPage* m_page;
    ImprovePage* m_improvePage = nullptr;
};

}  // namespace calibscope
