# Sanitizers apply to the whole build: mixing instrumented and plain objects hides errors.
if(ROADPLANE_SANITIZE)
  add_compile_options(-fsanitize=${ROADPLANE_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ROADPLANE_SANITIZE})
endif()
