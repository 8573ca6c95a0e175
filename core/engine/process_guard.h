// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Rights that a process gives up before it opens the first of other people's dumps: a dump may hold
/// bytes that take the HDF5 library over. Reading stays free, since any path may be asked for;
/// writing, the network and other processes do not.
namespace calibscope::engine {

/// Rights that the process still needs.
struct GuardOptions
{
    /// Folders in which files are made, replaced and removed, and files that are written to; what
    /// does not exist is passed over. All else can only be read.
    std::vector<std::string> writable = {};
    std::uint64_t memoryBytes = 0;        ///< of what can be written to (RLIMIT_DATA); 0: no limit
    std::uint64_t addressSpaceBytes = 0;  ///< of all, reserved or used (RLIMIT_AS); 0: no limit
    std::uint64_t fileBytes = 0;          ///< of each file that is written; 0: no limit
    bool goesFirst = false;  ///< the system ends it before others where memory runs out
};

/// One of the guards, as it took effect.
struct Guard
{
    std::string name;  ///< "files", ...
    bool isOn = false;
    std::string detail;  ///< what holds, or why it does not
};

/// Puts all guards that this system has around the process, for good; none is needed for it to
/// work. To be called while there is one thread: those that start later are under them too. An
/// engine that needs the network (MPI) calls it after it has its connections.
[[nodiscard]] std::vector<Guard> guardProcess(const GuardOptions& options);

/// A line for each: name, on or off, detail.
[[nodiscard]] std::string guardText(const std::vector<Guard>& guards);

/// Memory that work under such a budget for values takes at most: 352 MiB beside the budget, and a
/// stack for each processor's thread.
[[nodiscard]] std::uint64_t memoryLimitFor(std::uint64_t budgetBytes);

/// An address space in which that memory can be had: programs, and what the C library reserves for
/// each thread.
[[nodiscard]] std::uint64_t addressSpaceFor(std::uint64_t memoryBytes);

}  // namespace calibscope::engine
