#include "ui/plot/table_menu.h"

#include "core/base/error.h"
#include "ui/plot/model_table.h"
#include "ui/plot/save_question.h"
#include "ui/plot/table_text.h"
#include "ui/theme/translate.h"

#include <QAbstractItemView>
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>

#include <utility>

namespace calibscope {

namespace {

constexpr std::pair<const char*, TableFormat> formats[] = {
    {"&CSV", TableFormat::Csv}, {"&TSV", TableFormat::Tsv}, {"&JSON", TableFormat::Json}};

}  // namespace

QMenu* copyAsMenu(const QString& title, const TableSource& source, QWidget* parent)
{
    auto* menu = new QMenu(title, parent);
    for (const auto& [word, format] : formats)
        QObject::connect(menu->addAction(QString::fromLatin1(word)), &QAction::triggered, parent,
                         [source, format = format] {
                             QGuiApplication::clipboard()->setMimeData(
                                 tableMimeAs(source(), format).release());
                         });
    return menu;
}

void askAndSaveTable(const TableSource& source, QWidget* parent)
{
    const PlotTable table = source();
    const QString path =
        askWhereToSave(parent, tr("Save table"), QStringLiteral("table.csv"),
                       {tr("CSV (*.csv)"), tr("TSV (*.tsv)"), tr("JSON (*.json)")});
    if (path.isEmpty())
        return;
    try {
        saveTable(table, path);
    } catch (const Error& error) {
        QMessageBox::warning(parent, tr("Save table"), QString::fromUtf8(error.what()));
    }
}

void addTableMenu(QAbstractItemView& view, int exactRole)
{
    addTableMenu(view, [&view, exactRole] { return modelTable(*view.model(), exactRole); });
}

void addTableMenu(QAbstractItemView& view, const TableSource& source)
{
    view.setContextMenuPolicy(Qt::ActionsContextMenu);
    view.addAction(copyAsMenu(tr("Copy table &as"), source, &view)->menuAction());
    auto* save = new QAction(tr("&Save table as..."), &view);
    QObject::connect(save, &QAction::triggered, &view,
                     [source, &view] { askAndSaveTable(source, &view); });
    view.addAction(save);
}

}  // namespace calibscope
