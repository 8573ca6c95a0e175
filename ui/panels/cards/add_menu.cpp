#include "ui/panels/cards/add_menu.h"

#include "core/calibrators/calibrator.h"
#include "core/recipes/make_choice.h"
#include "ui/theme/plain_text.h"

#include <QRegularExpression>

#include <iterator>
#include <vector>

namespace calibscope {

namespace {

QString fromUtf8(std::string_view text)
{
    return QString::fromUtf8(text.data(), std::ssize(text));
}

}  // namespace

QString originOf(const Preset& preset)
{
    // "MLPerf Inference v3.0, Rebellions: Fixed Scale Calibration": the vendor; else all before the
    // first comma, colon, bracket or version.
    static const QRegularExpression submission(QStringLiteral("^MLPerf Inference[^,]*, ([^:]+):"));
    static const QRegularExpression tool(QStringLiteral("^(.+?)(?: [\\d(]|[,:]|$)"));
    const QString source = QString::fromStdString(preset.source);
    const QRegularExpressionMatch vendor = submission.match(source);
    return vendor.hasMatch() ? vendor.captured(1) : tool.match(source).captured(1);
}

AddMenu::AddMenu(QWidget* parent) : QMenu(parent)
{
    setToolTipsVisible(true);
    addCalibrators();
    addPresets();
}

void AddMenu::addCalibrators()
{
    addSection(tr("Calibrators, with their defaults"));
    for (const Calibrator& algorithm : calibrators())
        addCalibrator(*this, algorithm);
}

void AddMenu::addCalibrator(QMenu& menu, const Calibrator& algorithm)
{
    const QString title = fromUtf8(algorithm.title);
    QAction* action = menu.addAction(menuText(title));
    action->setToolTip(fromUtf8(algorithm.summary));
    connect(action, &QAction::triggered, this, [this, id = algorithm.id, title] {
        Q_EMIT chosen(
            makeChoice(id, {}, SchemeKind::SymmetricRestricted, defaultGranularity(m_role)), title);
    });
}

void AddMenu::addPresets()
{
    addSection(tr("Presets"));
    std::vector<std::pair<QString, QMenu*>> menus;
    for (const Preset& preset : presets()) {
        const QString origin = originOf(preset);
        auto place = std::find_if(menus.begin(), menus.end(),
                                  [&](const auto& entry) { return entry.first == origin; });
        if (place == menus.end()) {
            QMenu* menu = addMenu(menuText(origin));
            menu->setToolTipsVisible(true);
            place = menus.insert(menus.end(), {origin, menu});
        }
        addPreset(*place->second, preset);
    }
}

void AddMenu::addPreset(QMenu& menu, const Preset& preset)
{
    const QString title = QString::fromStdString(preset.title);
    QAction* action = menu.addAction(menuText(title));
    action->setToolTip(
        tr("%1\nSource: %2")
            .arg(QString::fromStdString(preset.id), QString::fromStdString(preset.source)));
    connect(action, &QAction::triggered, this, [this, &preset, title] {
        Q_EMIT chosen(
            makeChoice(preset, {}, SchemeKind::SymmetricRestricted, defaultGranularity(m_role)),
            title);
    });
}

}  // namespace calibscope
