// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/deploy_controller.h"

#include "ui/document/output_folder.h"
#include "ui/pages/deploy/deploy_page.h"
#include "ui/pages/improve/improve_page.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/plot/table_menu.h"
#include "ui/queries/addresses.h"

#include <QFileDialog>
#include <QFileInfo>

#include <utility>

namespace calibscope {

DeployController::DeployController(Document& document, SessionKeeper& keeper, WorkspaceTabs& pages)
    : m_document(document),
      m_keeper(keeper),
      m_pages(pages),
      m_deployment(document,
                   [&keeper](const QString& path, std::function<void(const QString&)> told) {
                       keeper.files().write(
                           keeper.session(), path, {.isPrivate = true},
                           [told = std::move(told)](const SessionFiles::Written& written) {
                               told(written.failure);
                           });
                   }),
      m_page(new DeployPage(m_deployment, &pages))
{
    pages.add(Workspace::Deploy, m_page);
    connect(m_page, &DeployPage::modelRequested, this, &DeployController::askForModel);
    connect(m_page, &DeployPage::outputRequested, this, &DeployController::askForOutput);
}

void DeployController::addImprovePage()
{
    m_improvePage = new ImprovePage(
        m_deployment,
        [this] {
            const bool isSaved = !m_keeper.path().isEmpty() && !m_keeper.isModified();
            return isSaved ? m_keeper.path() : QString();
        },
        &m_pages);
    connect(&m_keeper, &SessionKeeper::changed, m_improvePage, &ImprovePage::refreshCommand);
    m_pages.add(Workspace::Improve, m_improvePage);
    connect(m_improvePage, &ImprovePage::modelRequested, this, &DeployController::askForModel);
    connect(m_improvePage, &ImprovePage::fileRequested, this, &DeployController::askForImproved);
}

void DeployController::askForImproved()
{
    const QFileInfo dump(m_document.path());
    QStringList kinds{tr("Improvements (*.json)")};
    if (!m_deployment.options().model.isEmpty())
        kinds << tr("ONNX models (*.onnx)");
    const QString path =
        askWhereToSave(m_pages.window(), tr("Write the improvements"),
                       outputFolder(m_keeper.path(), m_document.path()) + u'/' +
                           dump.completeBaseName() + QStringLiteral("-better.json"),
                       kinds);
    if (!path.isEmpty())
        m_deployment.writeImproved(path);
}

bool DeployController::askForModel()
{
    const QString& known = m_deployment.options().model;
    const QString path =
        QFileDialog::getOpenFileName(m_pages.window(), tr("Model that the dump was recorded from"),
                                     folderHere(known.isEmpty() ? m_document.path() : known),
                                     tr("ONNX models (*.onnx);;All files (*)"));
    if (!path.isEmpty())
        setModel(path);
    return !path.isEmpty();
}

void DeployController::setModel(const QString& path)
{
    DeployOptions options = m_deployment.options();
    options.model = path;
    const QFileInfo model(path);
    const QString folder = m_keeper.path().isEmpty()
                               ? model.absolutePath()
                               : outputFolder(m_keeper.path(), m_document.path());
    if (options.output.isEmpty() || !QFileInfo(QFileInfo(options.output).path()).isDir())
        options.output = folder + u'/' + model.completeBaseName() + QStringLiteral("-int8.onnx");
    m_deployment.setOptions(options);
}

void DeployController::askForOutput()
{
    DeployOptions options = m_deployment.options();
    const QString proposed =
        options.output.isEmpty()
            ? outputFolder(m_keeper.path(), m_document.path()) + QStringLiteral("/quantized.onnx")
            : options.output;
    const QString path = askWhereToSave(m_pages.window(), tr("Write the quantized model"), proposed,
                                        {tr("ONNX models (*.onnx)")});
    if (path.isEmpty())
        return;
    options.output = path;
    m_deployment.setOptions(options);
}

}  // namespace calibscope
