// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/describe/report_data.h"
#include "ui/document/session_document.h"
#include "ui/report/report_options.h"

#include <QDialog>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QGroupBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace calibscope {

class Document;

/// Material for a report, as it stands in the window.
struct ReportSubject
{
    std::string file;
    QString folder;  ///< where its folder is proposed
    bool allowExternal = false;
    QString recipeTitle;  ///< of the chosen recipe
    std::string recipe;   ///< its id
    std::size_t channelTensors = 0;
    /// Paths of the tensors in each scope.
    std::vector<std::string> all;
    std::vector<std::string> filtered;
    std::vector<std::string> decided;
    std::vector<std::string> pinned;
    std::vector<std::string> flagged;
    std::vector<std::string> selected;
    bool isFiltered = false;  ///< the list leaves tensors out
    SessionDocument session;  ///< of that dump alone: decisions, remarks and manual ranges
    /// The selected tensor as a page would show it; nothing until it was read.
    std::optional<report::ReportedTensor> sample;
    report::Source source;
};

/// `filtered`: places of the tensors that the list shows; `selected`: those whose rows are
/// selected.
[[nodiscard]] ReportSubject reportSubject(const Document& document,
                                          const std::vector<int>& filtered,
                                          const std::vector<int>& selected = {});

/// How many there are of what a report's size depends on.
struct ReportCounts
{
    std::size_t tensors = 0;
    std::size_t channelTensors = 0;
    std::size_t recipes = 0;
};

/// About how many bytes the report will have, from the sizes of the sample's.
[[nodiscard]] std::uint64_t reportBytes(const ReportOptions& options, const ReportCounts& counts);

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
    QCheckBox* m_decisions = nullptr;  ///< nullptr: there are none
    QCheckBox* m_footer = nullptr;
    QLineEdit* m_folder = nullptr;
    QLabel* m_size = nullptr;
    QLabel* m_problem = nullptr;
    QLabel* m_preview = nullptr;
    QPushButton* m_write = nullptr;
    bool m_overwrites = false;
};

}  // namespace calibscope
