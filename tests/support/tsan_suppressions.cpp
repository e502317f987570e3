// Packaged libraries are not instrumented, so ThreadSanitizer does not see their synchronisation:
// what it reports inside them says nothing about this project.

extern "C" const char* __tsan_default_suppressions() {
  return "mutex:libOpenNI\n"
         "deadlock:libgdal\n"
         "race:libOpenNI\n"
         "race:libopencv_\n"
         "race:libpng\n"
         "race:libz.so\n"
         "race:libtbb\n"
         "race:libmpi\n"
         "race:libopen-\n";
}
