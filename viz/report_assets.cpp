#include "report_assets.hpp"

#define ROADPLANE_ASSET(name)                                                 \
  extern "C" const char roadplane_##name##_begin[], roadplane_##name##_end[]; \
  std::string_view roadplane::viz::assets::name() {                           \
    return {roadplane_##name##_begin, roadplane_##name##_end};                \
  }

ROADPLANE_ASSET(page)
ROADPLANE_ASSET(style)
ROADPLANE_ASSET(script)
ROADPLANE_ASSET(three)
ROADPLANE_ASSET(orbit)
ROADPLANE_ASSET(chart)
