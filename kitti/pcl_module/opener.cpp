// kitti::read_pcd and kitti::read_ply for programs that are to start fast: PCL's library of readers
// brings VTK and 60 libraries more, so it is loaded by the first scan that needs it. Linked ahead
// of the library's own definitions (pcl_cloud.cpp), these take their place.
#include <dlfcn.h>

#include <string>

#include "functions.hpp"
#include "pcl_cloud.hpp"
#include "roadplane/base/input_error.hpp"

namespace roadplane::kitti {
namespace {

constexpr const char* kModule = "roadplane_pcl.so";

using Read = decltype(roadplane_read_pcd);

/// The module is looked for where the program was told to when it was linked (RUNPATH), and stays
/// open: exceptions thrown in it live on.
Read* find(const char* name, const std::filesystem::path& for_file) {
  static void* const module = dlopen(kModule, RTLD_NOW | RTLD_LOCAL);
  void* const function = module != nullptr ? dlsym(module, name) : nullptr;
  if (function == nullptr) {
    const char* const why = dlerror();
    throw InputError(for_file.string(), std::string(kModule) + " to read it with",
                     why != nullptr ? why : "none that can be loaded");
  }
  return reinterpret_cast<Read*>(function);
}

Scan read(const char* function, const std::filesystem::path& path) {
  Scan scan;
  find(function, path)(path, scan);
  return scan;
}

}  // namespace

Scan read_pcd(const std::filesystem::path& path) { return read("roadplane_read_pcd", path); }
Scan read_ply(const std::filesystem::path& path) { return read("roadplane_read_ply", path); }

}  // namespace roadplane::kitti
