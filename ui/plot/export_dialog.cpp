// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/export_dialog.h"

#include "core/base/error.h"
#include "ui/plot/table_menu.h"
#include "ui/theme/plain_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace calibscope {

namespace {

QSpinBox* pixelBox(int value, QWidget* parent)
{
    auto* box = new QSpinBox(parent);
    box->setRange(200, 8000);
    box->setSingleStep(50);
    box->setValue(value);
    box->setSuffix(ExportDialog::tr(" px"));
    return box;
}

}  // namespace

ExportDialog::ExportDialog(const PlotContent& content, const PictureSettings& settings,
                           QWidget* parent)
    : QDialog(parent),
      m_content(content),
      m_settings(settings),
      m_preview(new PlainLabel(this)),
      m_problem(new PlainLabel(this))
{
    setWindowTitle(tr("Export picture"));
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setMinimumSize(480, 320);
    m_preview->setAccessibleName(tr("Preview"));
    m_problem->setWordWrap(true);
    m_problem->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::askForFile);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* upper = new QHBoxLayout;
    upper->addWidget(makeForm());
    upper->addWidget(m_preview, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(upper, 1);
    layout->addWidget(m_problem);
    layout->addWidget(buttons);
    updatePreview();
}

QWidget* ExportDialog::makeForm()
{
    auto* form = new QWidget(this);
    m_format = new QComboBox(form);
    m_format->addItem(tr("PNG, pixels"), QStringLiteral("png"));
    m_format->addItem(tr("SVG, vectors"), QStringLiteral("svg"));
    m_format->addItem(tr("PDF, vectors"), QStringLiteral("pdf"));
    m_theme = new QComboBox(form);
    m_theme->addItem(tr("Light, for print"), false);
    m_theme->addItem(tr("Dark"), true);
    m_width = pixelBox(m_settings.size.width(), form);
    m_height = pixelBox(m_settings.size.height(), form);
    m_scale = new QSpinBox(form);
    m_scale->setRange(1, 4);
    m_scale->setValue(2);
    m_scale->setSuffix(QStringLiteral("×"));
    m_footer = new QCheckBox(tr("Pro&venance footer"), form);
    m_footer->setChecked(!m_settings.footer.isEmpty());
    m_footer->setEnabled(!m_settings.footer.isEmpty());
    auto* layout = new QFormLayout(form);
    layout->setContentsMargins({});
    layout->addRow(tr("&Format"), m_format);
    layout->addRow(tr("&Width"), m_width);
    layout->addRow(tr("&Height"), m_height);
    layout->addRow(tr("&Resolution"), m_scale);
    layout->addRow(tr("&Colours"), m_theme);
    layout->addRow(m_footer);
    connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::updatePreview);
    connect(m_theme, &QComboBox::currentIndexChanged, this, &ExportDialog::updatePreview);
    connect(m_width, &QSpinBox::valueChanged, this, &ExportDialog::updatePreview);
    connect(m_height, &QSpinBox::valueChanged, this, &ExportDialog::updatePreview);
    connect(m_footer, &QCheckBox::toggled, this, &ExportDialog::updatePreview);
    return form;
}

PictureSettings ExportDialog::settings() const
{
    PictureSettings settings = m_settings;
    settings.size = QSize(m_width->value(), m_height->value());
    settings.scale = m_scale->value();
    settings.isDark = m_theme->currentData().toBool();
    if (!m_footer->isChecked())
        settings.footer.clear();
    return settings;
}

QString ExportDialog::format() const
{
    return m_format->currentData().toString();
}

void ExportDialog::updatePreview()
{
    m_scale->setEnabled(format() == QStringLiteral("png"));
    PictureSettings small = settings();
    small.scale = devicePixelRatioF();
    QImage picture = renderContent(m_content, small);
    const QSize room = m_preview->minimumSize() * devicePixelRatioF();
    if (picture.width() > room.width() || picture.height() > room.height())
        picture = picture.scaled(room, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    m_preview->setPixmap(QPixmap::fromImage(picture));
}

void ExportDialog::askForFile()
{
    QString name = m_settings.title.isEmpty() ? QStringLiteral("plot") : m_settings.title;
    name.replace(u'/', u'_');
    const QString path =
        askWhereToSave(this, windowTitle(), name + u'.' + format(),
                       {format().toUpper() + QStringLiteral(" (*.%1)").arg(format())});
    if (path.isEmpty() || !save(path))
        return;
    m_written = path;
    accept();
}

bool ExportDialog::save(const QString& path)
{
    try {
        saveContent(m_content, settings(), path);
        return true;
    } catch (const Error& error) {
        m_problem->setText(QString::fromUtf8(error.what()));
        m_problem->show();
        return false;
    }
}

}  // namespace calibscope
