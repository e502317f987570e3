#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "support/program.hpp"

namespace roadplane::test {

/// mpirun with arguments of its own, also as root and with more ranks than cores; what hangs is
/// ended. Open MPI itself leaks, so leaks are not looked for.
inline std::string mpirun(const std::string& arguments) {
  return "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
         "ASAN_OPTIONS=detect_leaks=0 "
         "timeout -k 5 100 " ROADPLANE_MPIEXEC " --oversubscribe " +
         arguments;
}

/// The program below mpirun.
inline std::string mpirun(int ranks, const std::string& arguments) {
  return mpirun(fmt::format("-np {} {} {}", ranks, ROADPLANE_PROGRAM, arguments));
}

inline std::string plain(const std::string& arguments) {
  return fmt::format("timeout -k 5 100 {} {}", ROADPLANE_PROGRAM, arguments);
}

inline std::string segment(const std::filesystem::path& path, const std::filesystem::path& out,
                           const std::string& options) {
  return fmt::format("segment {} --quiet --out {} {}", path.string(), out.string(), options);
}

}  // namespace roadplane::test
