#include "app/calib/integers_output.h"

#include "app/calib/command_output.h"
#include "core/base/digest.h"
#include "core/base/number_text.h"
#include "core/deploy/dump_names.h"
#include "core/deploy/materialize.h"

#include <vector>

namespace calibscope::cli {

bool writeIntegersFile(ModelSources& sources, int mostWeightLevel, const std::string& path,
                       const Reading& reading, Complaints& complaints)
{
    std::vector<deploy::IntegerSource> integers;
    for (DecidedDump& one : sources.dumps) {
        deploy::nameAsRecorded(one.decisions.tensors, sources.map);
        const std::string& file = one.dump->identity().path;
        integers.push_back(
            {.dump = one.dump,
             .tensors = one.decisions.tensors,
             .sha256 = fileSha256(file, [&] { reading.progress().step(0, 0, file); })});
    }
    const deploy::WrittenIntegers written = deploy::writeIntegers(
        integers,
        {.mostWeightLevel = mostWeightLevel, .endsReading = [&reading] { reading.ends(); }}, path,
        reading.progress());
    for (const std::string& problem : written.problems)
        complaints.add(problem);
    for (const std::string& note : written.notes)
        sayOnStderr("calib: note: " + note);
    if (written.weights + written.activations > 0)
        sayOnStderr("calib: " + path + ": " + countText(written.weights, "weight", "weights") +
                    " as integers, scales of " +
                    countText(written.activations, "activation", "activations"));
    return false;
}

}  // namespace calibscope::cli
