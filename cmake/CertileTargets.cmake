# certile_library(NAME DEPENDS...): the folder's sources, tests left out, as the target certile_NAME.
function(certile_library name)
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cpp$")
  add_library(certile_${name} STATIC ${sources})
  target_include_directories(certile_${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(certile_${name} PUBLIC ${ARGN} PRIVATE certile_warnings)
endfunction()

# Where programs run in an emulator, they start each other in it.  Plugins that turn the system against certile meet another
# system there: qemu's forks are heavy, and it takes neither limits of memory nor filters of system calls.
if(CMAKE_CROSSCOMPILING_EMULATOR)
  list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " words)
  set(certile_test_properties TEST_FILTER "-*HostilePlugin*" PROPERTIES ENVIRONMENT "CERTILE_EMULATOR=${words}")
endif()

# certile_tests(NAME DEPENDS...): the folder's *_test.cpp as one program, each test known to CTest.
function(certile_tests name)
  if(NOT CERTILE_BUILD_TESTS)
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS *_test.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${name}_tests ${sources})
  target_link_libraries(${name}_tests PRIVATE certile_${name} ${ARGN} GTest::gtest_main certile_warnings)
  gtest_discover_tests(${name}_tests TEST_PREFIX "${name}: " DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    ${certile_test_properties})
endfunction()
