#include "core/report/html/tensor_link.h"

#include "core/report/html/html.h"

namespace calibscope::report {

std::string tensorLink(const Report& report, const TensorLine& line)
{
    std::string name =
        line.page.empty() ? html::breakable(line.info.name) : html::link(line.page, line.info.name);
    if (report.sources.size() < 2)
        return name;
    return "<span class=\"quiet\">" + html::breakable(fileName(report.sources[line.source])) +
           "</span> " + name;
}

}  // namespace calibscope::report
