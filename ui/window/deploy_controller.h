// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/deployment.h"
#include "ui/document/session_keeper.h"

#include <QObject>

namespace calibscope {

class DeployPage;
class WorkspaceTabs;

/// Writes and checks a quantized model from the decisions: its page, and the files it asks for.
class DeployController : public QObject
{
    Q_OBJECT

public:
    /// Adds its page to `pages`. All must outlive this.
    DeployController(Document& document, SessionKeeper& keeper, WorkspaceTabs& pages);

    [[nodiscard]] DeployPage& page() const { return *m_page; }
    [[nodiscard]] Deployment& deployment() { return m_deployment; }

    void askForModel();
    void askForOutput();
    /// The model that the dump was recorded from. Where nothing was said of the output yet, it is
    /// proposed beside it.
    void setModel(const QString& path);

private:
    Document& m_document;
    WorkspaceTabs& m_pages;
    Deployment m_deployment;
    DeployPage* m_page;
};

}  // namespace calibscope
