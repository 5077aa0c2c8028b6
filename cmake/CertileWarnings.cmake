# The warnings that all of our own code is free of, and the sanitizers that were asked for.
add_library(certile_warnings INTERFACE)
target_compile_options(certile_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)

if(CERTILE_SANITIZE)
  add_compile_options(-fsanitize=${CERTILE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${CERTILE_SANITIZE})
endif()
