#pragma once

#include "app/calib/model_output.h"
#include "app/calib/reading.h"

#include <string>

namespace calibscope::cli {

class Complaints;

/// Writes the decisions as integers to an HDF5 file, with the graph's names where the map or the
/// recorder gives them. Says on stderr what was written, with its notes, and complains of what
/// could not be. Returns whether anything is an error, which here nothing is that is written.
/// Throws Error as deploy::writeIntegers().
bool writeIntegersFile(ModelSources& sources, int mostWeightLevel, const std::string& path,
                       const Reading& reading, Complaints& complaints);

}  // namespace calibscope::cli
