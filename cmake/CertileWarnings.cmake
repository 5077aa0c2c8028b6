# The warnings that all of our own code is free of, and the sanitizers that were asked for.
add_library(certile_warnings INTERFACE)
target_compile_options(certile_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
# Errors with the compilers that we test with.  g++ 14, for one, warns of code that is right.
if("${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" MATCHES "^(GNU 12|Clang 16)\\.")
  target_compile_options(certile_warnings INTERFACE -Werror)
endif()

# The plugins of the tree get them too. The differences under a sanitizer, and their reasons:
# - address, thread: the host process has no limit of memory, because their shadow memory is larger than any useful limit; the
#   two tests of that limit are skipped.
# - address: the host process starts with handle_segv=0, so that a fault at a guard page reaches our own handler.
# - all: tests ask the smoke tier where they ask the core tier otherwise; README.md and docs/reports.md, which show what the
#   plain build prints, are not run; the built-in backends are certified once more, by a separate test.
# - thread: plugins that race on purpose are not run. It sees the threads of one process, not two processes that share memory.
#   That of g++ 12 does not start where vm.mmap_rnd_bits is above 28.
#   The backend openmp is not built: the sanitizer cannot see how libgomp's threads wait for each other, and would report races.
if(CERTILE_SANITIZE)
  add_compile_options(-fsanitize=${CERTILE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${CERTILE_SANITIZE})
  if(CERTILE_SANITIZE STREQUAL "address,undefined")
    # AddressSanitizer reports these as well, and checking them twice takes a third more time to compile.
    add_compile_options(-fno-sanitize=null,vptr,object-size)
  endif()
endif()
