#pragma once

#include "ui/report/report_options.h"
#include "ui/report/report_subject.h"

#include <QDialog>

#include <map>

class QCheckBox;
class QComboBox;
class QGroupBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace calibscope {

/// Asks what a report is to hold, shows a picture of it as it will be, and gives the options.
class ReportDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ReportDialog(const ReportSubject& subject, QWidget* parent = nullptr);

    [[nodiscard]] ReportOptions options() const;
    /// The folder where it goes.
    void setFolder(const QString& folder);

    /// Choices as they are remembered, and back; what is not understood is left as it is.
    [[nodiscard]] QString choices() const;
    void setChoices(const QString& json);

private:
    QWidget* makeForm();
    QGroupBox* makeContents();
    QGroupBox* makeFormats();
    void addScope(const QString& text, const std::vector<std::string>& tensors);
    [[nodiscard]] const std::vector<std::string>& scopeTensors() const;
    void askForFolder();
    void update();
    void updatePreview();
    void acceptIfFree();

    ReportSubject m_subject;
    QComboBox* m_scope = nullptr;
    QComboBox* m_recipes = nullptr;
    std::map<report::Content, QCheckBox*> m_contents;
    std::map<report::Format, QCheckBox*> m_formats;
    QSpinBox* m_scale = nullptr;
    QComboBox* m_theme = nullptr;
    QCheckBox* m_footer = nullptr;
    QLineEdit* m_folder = nullptr;
    QLabel* m_size = nullptr;
    QLabel* m_problem = nullptr;
    QLabel* m_preview = nullptr;
    QPushButton* m_write = nullptr;
    bool m_overwrites = false;
};

}  // namespace calibscope
