# The list of built-in backends has one source: the certile_add_backend() lines of backends/CMakeLists.txt.

# certile_add_backend(NAME [SUMMARY TEXT] [REQUIRES PACKAGE] [LINKS TARGET...] [BEHIND_C_HEADER] [CXX_STANDARD N])
#
# Adds NAME.cpp to the library and NAME to the list.  The file defines, in namespace certile,
#     std::unique_ptr<Backend> make_NAME();
# or, where it cannot be C++20 and so keeps BEHIND_C_HEADER (it includes certile_plugin.h and other C++17 headers alone),
#     extern "C" std::int32_t certile_open_NAME(std::uint32_t host_major, std::uint32_t host_minor, certile_plugin*);
# A '-' in NAME is a '_' in both.  A package that is not there makes a line "not built: PACKAGE not found", never an error.
function(certile_add_backend name)
  cmake_parse_arguments(PARSE_ARGV 1 backend "BEHIND_C_HEADER" "SUMMARY;REQUIRES;CXX_STANDARD" "LINKS")
  string(REPLACE "-" "_" identifier ${name})
  if(backend_REQUIRES)
    find_package(${backend_REQUIRES} QUIET)
    if(NOT ${backend_REQUIRES}_FOUND)
      set(missing "not built: ${backend_REQUIRES} not found")
      message(STATUS "backend ${name} ${missing}")
    endif()
  endif()

  if(missing)
    set(make nullptr)
  else()
    set(make make_${identifier})
    if(backend_BEHIND_C_HEADER)
      string(CONCAT declaration
        "extern \"C\" std::int32_t certile_open_${identifier}(std::uint32_t, std::uint32_t, certile_plugin*);\n"
        "static std::unique_ptr<Backend> make_${identifier}() { return made(\"${name}\", certile_open_${identifier}); }\n")
    else()
      set(declaration "std::unique_ptr<Backend> make_${identifier}();\n")
    endif()
    set_property(GLOBAL APPEND_STRING PROPERTY certile_backend_declarations "${declaration}")
    # Objects of their own: a backend's flags, standard and packages reach no other file.
    add_library(certile_backend_${name} OBJECT ${name}.cpp)
    target_include_directories(certile_backend_${name} PRIVATE ${CMAKE_SOURCE_DIR})
    target_link_libraries(certile_backend_${name} PRIVATE certile_warnings ${backend_LINKS})
    if(backend_CXX_STANDARD)
      set_target_properties(certile_backend_${name} PROPERTIES CXX_STANDARD ${backend_CXX_STANDARD})
    endif()
    target_sources(certile_backends PRIVATE $<TARGET_OBJECTS:certile_backend_${name}>)
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY certile_backend_entries
    "      {\"${name}\", \"${backend_SUMMARY}\", \"${missing}\", ${make}},\n")
endfunction()

# Writes the list, after the last certile_add_backend().
function(certile_finish_backends)
  get_property(declarations GLOBAL PROPERTY certile_backend_declarations)
  get_property(entries GLOBAL PROPERTY certile_backend_entries)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/built_in_list.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/built_in_list.cpp @ONLY)
  target_sources(certile_backends PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/built_in_list.cpp)
endfunction()

# certile_add_plugin(NAME FOLDER SOURCE...): a shared library to load at run time, build/<preset>/FOLDER/NAME.so.
# It knows the C header and nothing else of certile.
function(certile_add_plugin name folder)
  add_library(plugin_${name} MODULE ${ARGN})
  target_include_directories(plugin_${name} PRIVATE ${CMAKE_SOURCE_DIR}/backends/plugin)
  target_link_libraries(plugin_${name} PRIVATE certile_warnings)
  set_target_properties(plugin_${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${folder})
endfunction()
