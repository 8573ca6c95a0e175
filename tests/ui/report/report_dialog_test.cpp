// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_dialog.h"

#include "tests/support/catch.h"

namespace report_dialog_test {

using namespace calibscope;

ReportSubject subject()
{
    ReportSubject subject{.file = "/d/net.h5",
                          .folder = "/d",
                          .recipeTitle = "Moffett, CNN",
                          .recipe = "moffett-cnn",
                          .channelTensors = 2,
                          .all = {"/a", "/b", "/c"},
                          .filtered = {"/a", "/b"},
                          .selected = {"/b"}};
    return subject;
}

QComboBox* scopes(const ReportDialog& dialog)
{
    for (auto* box : dialog.findChildren<QComboBox*>())
        if (box->itemText(0).contains("All tensors"))
            return box;
    return nullptr;
}

QCheckBox* box(const ReportDialog& dialog, const QString& text)
{
    for (auto* box : dialog.findChildren<QCheckBox*>())
        if (box->text().remove(u'&') == text)
            return box;
    return nullptr;
}

TEST_CASE("the dialog begins with all tensors, all contents, and what the program writes")
{
    const ReportDialog dialog(subject());
    const ReportOptions options = dialog.options();
    CHECK(options.files == std::vector<std::string>{"/d/net.h5"});
    CHECK(options.folder == "/d/net-report");
    CHECK(options.tensors.empty());
    CHECK(options.recipes.empty());
    CHECK(options.formats == ReportOptions{}.formats);
    CHECK(options.contents == ReportOptions{}.contents);
    CHECK_FALSE(options.isDark);
}

TEST_CASE("a scope gives the tensors' paths, and one without tensors is not offered")
{
    const ReportDialog dialog(subject());
    REQUIRE(scopes(dialog));
    CHECK(scopes(dialog)->count() == 3);  // nothing is flagged
    scopes(dialog)->setCurrentIndex(1);
    CHECK(dialog.options().tensors == std::vector<std::string>{"/a", "/b"});
    scopes(dialog)->setCurrentIndex(2);
    CHECK(dialog.options().tensors == std::vector<std::string>{"/b"});
}

TEST_CASE("choices are remembered and come back")
{
    const ReportDialog first(subject());
    box(first, "PDF for print")->setChecked(true);
    box(first, "Ranking")->setChecked(false);
    box(first, "Provenance footers below pictures")->setChecked(false);
    ReportDialog second(subject());
    second.setChoices(first.choices());
    CHECK(second.choices() == first.choices());
    CHECK(second.options().has(report::Format::Pdf));
    CHECK_FALSE(second.options().has(report::Content::Ranking));
    CHECK_FALSE(second.options().hasFooters);
    second.setChoices("no choices");
    CHECK(second.options().has(report::Format::Pdf));
}

TEST_CASE("without a format nothing can be written, and the dialog says so")
{
    const ReportDialog dialog(subject());
    QPushButton* write = nullptr;
    for (auto* button : dialog.findChildren<QPushButton*>())
        if (button->text().contains("Write"))
            write = button;
    REQUIRE(write);
    CHECK(write->isEnabled());
    for (const char* format : {"HTML pages", "CSV tables", "JSON", "PNG pictures"})
        box(dialog, format)->setChecked(false);
    CHECK_FALSE(write->isEnabled());
    box(dialog, "PDF for print")->setChecked(true);
    CHECK(write->isEnabled());
}

TEST_CASE("a report's size grows with tensors, formats and the resolution of pictures")
{
    ReportOptions options;
    const ReportCounts counts{.tensors = 30, .channelTensors = 25, .recipes = 11};
    const std::uint64_t usual = reportBytes(options, counts);
    CHECK(usual > 5'000'000);  // the sample's report has 13 MB
    CHECK(usual < 40'000'000);
    CHECK(reportBytes(options, {.tensors = 60, .channelTensors = 25, .recipes = 11}) > usual);
    options.pictureScale = 4;
    CHECK(reportBytes(options, counts) > usual);
    options.formats = {report::Format::Csv};
    CHECK(reportBytes(options, counts) < 1'000'000);
}

TEST_CASE("rows that were selected one by one are what the report is of, whatever is filtered")
{
    ReportSubject several = subject();
    several.isFiltered = true;
    CHECK(ReportDialog(several).options().tensors == std::vector<std::string>{"/a", "/b"});
    several.selected = {"/a", "/c"};
    CHECK(ReportDialog(several).options().tensors == std::vector<std::string>{"/a", "/c"});
}

TEST_CASE("no two fields of the dialog share a letter")
{
    ReportSubject all = subject();
    all.session.dumps.resize(1);
    all.session.dumps.front().own.manualRange["/a"] = {-1.0, 1.0};
    const ReportDialog dialog(all);
    std::map<QChar, QString> owners;
    const auto take = [&owners](const QString& text) {
        const auto mark = text.indexOf(u'&');
        if (mark < 0)
            return;
        const QChar letter = text[mark + 1].toUpper();
        CAPTURE(text.toStdString(), owners[letter].toStdString());
        CHECK(owners[letter].isEmpty());
        owners[letter] = text;
    };
    for (const auto* label : dialog.findChildren<QLabel*>())
        if (label->buddy())
            take(label->text());
    for (const auto* button : dialog.findChildren<QAbstractButton*>())
        take(button->text());
    CHECK(owners.size() > 15);
}

}  // namespace report_dialog_test
