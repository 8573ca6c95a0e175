#pragma once

#include "core/report/output_folder.h"
#include "core/report/report_data.h"
#include "core/report/table.h"
#include "ui/report/engine_calls.h"
#include "ui/report/picture_saver.h"
#include "ui/report/report_plan.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace calibscope {

struct ReportOptions
{
    std::vector<std::string> files;
    std::string folder;
    std::vector<std::string> recipes;  ///< ids; none: all but the variants
    std::vector<std::string> gates;    ///< as in parseGate()
    /// Tensors with pictures, those with the lowest SQNR. None: all, if they are not more than 500.
    std::optional<std::size_t> worstPictures;
    bool overwrite = false;
    bool allowExternal = false;  ///< as in serve::OpenRequest
};

/// Writes a report's folder: index.html, tensor/NAME.html, scales.csv, summary.json and
/// png/NAME-histogram.png, -curve.png, -channels.png. The same files and options give the same
/// bytes.
class ReportWriter
{
public:
    /// Called with the tensors done, the tensors in all and the name of the one at work.
    using Observer = std::function<void(std::size_t, std::size_t, const std::string&)>;

    ReportWriter(EngineCalls& calls, ReportOptions options, Observer observer = {});

    /// Reads, computes and writes everything. What can't be read is told in the report. Throws
    /// Error(Usage) for recipes and gates that are none, Error(Output) where the folder can't be
    /// written, Cancelled; the folder is then as it was before.
    [[nodiscard]] report::Report write();

    /// Where everything goes. The pictures come last: they are written before the folder may go.
    struct Target
    {
        OutputFolder folder;
        PictureSaver pictures = {};
    };

private:
    void openSources();
    void writeTensors(Target& target);
    void writeWorstPictures(Target& target);
    void writePage(Target& target, std::size_t place, report::TensorPart part,
                   bool withPictures) const;
    void addLine(const report::TensorPart& part);
    [[nodiscard]] Answer<serve::TensorView> read(const PlannedTensor& planned);
    [[nodiscard]] bool drawsAll() const;
    [[nodiscard]] QString pictureFooter(const report::TensorPart& part) const;

    EngineCalls& m_calls;
    ReportOptions m_options;
    Observer m_observer;
    report::Report m_report;
    std::vector<serve::DumpOpened> m_dumps;  ///< by source; empty where that has a problem
    std::vector<PlannedTensor> m_planned;    ///< by line of the report
};

}  // namespace calibscope
