// Packaged libraries are not instrumented, so ThreadSanitizer does not see their synchronisation:
// what it reports inside them says nothing about this project.

extern "C" const char* __tsan_default_suppressions() {
  return "mutex:libOpenNI\n"     // comes with PCL; unlocks a mutex that it has destroyed, at exit
         "deadlock:libgdal\n"    // comes with OpenCV; takes two of its own locks in either order
         "race:libopencv_\n"     // what it makes at first use, behind its own locks
         "deadlock:mca_btl_\n";  // Open MPI's transports: two of their locks, by one and the same
                                 // thread, in one order at the start and the other later
}
