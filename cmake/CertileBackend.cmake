# The list of built-in backends has one source: the certile_add_backend() lines of backends/CMakeLists.txt.

# certile_add_backend(NAME [SUMMARY TEXT] [REQUIRES PACKAGE...] [LINKS TARGET...] [FAMILY FAMILY] [CXX_STANDARD N]
#                     [NOT_UNDER SANITIZER] [SLOW])
#
# Adds backends/builtin/NAME.cpp to the library and NAME to the list.  The file defines, in namespace certile::backends,
#     std::int32_t open_NAME(certile_plugin& table);    // as certile_plugin_open does; builtin.hpp helps
# Several backends come from one file, FAMILY.cpp, if it knows which processors they are for:
#     std::int32_t open_FAMILY(std::string_view name, certile_plugin& table);
#     bool supports_FAMILY(std::string_view name);      // false: not supported by this CPU
# A '-' in NAME is a '_' in both.  A missing package makes a line "not built: PACKAGE not found", never an error;
# so does a sanitizer that cannot follow the backend.  SLOW: it takes minutes for what takes others seconds.
function(certile_add_backend name)
  cmake_parse_arguments(PARSE_ARGV 1 backend "SLOW" "SUMMARY;CXX_STANDARD;FAMILY;NOT_UNDER" "REQUIRES;LINKS")
  string(REPLACE "-" "_" identifier ${name})
  foreach(package IN LISTS backend_REQUIRES)
    find_package(${package} QUIET GLOBAL)  # GLOBAL, because targets that link the library link its packages
    if(NOT ${package}_FOUND)
      set(missing "not built: ${package} not found")
    endif()
  endforeach()
  if(backend_NOT_UNDER AND CERTILE_SANITIZE MATCHES "${backend_NOT_UNDER}")
    set(missing "not built: the ${backend_NOT_UNDER} sanitizer cannot follow it")
  endif()
  if(missing)
    message(STATUS "backend ${name} ${missing}")
  endif()

  set(source ${name})
  set(open nullptr)
  set(supported nullptr)
  string(TOLOWER "${backend_SLOW}" slow)
  if(NOT missing)
    set(parameters "std::uint32_t, std::uint32_t, certile_plugin* table")
    if(backend_FAMILY)
      set(source ${backend_FAMILY})
      set(open "[](${parameters}) { return open_${source}(\"${name}\", *table); }")
      set(supported "[] { return supports_${source}(\"${name}\"); }")
      string(CONCAT declaration
        "std::int32_t open_${source}(std::string_view, certile_plugin&);\nbool supports_${source}(std::string_view);\n")
    else()
      set(open "[](${parameters}) { return open_${identifier}(*table); }")
      set(declaration "std::int32_t open_${identifier}(certile_plugin&);\n")
    endif()
    set_property(GLOBAL APPEND_STRING PROPERTY certile_backend_declarations "${declaration}")
    if(NOT TARGET certile_backend_${source})
      # Separate objects, so that a backend's flags, standard and packages reach no other file.
      add_library(certile_backend_${source} OBJECT builtin/${source}.cpp)
      target_include_directories(certile_backend_${source} PRIVATE ${PROJECT_SOURCE_DIR})
      target_link_libraries(certile_backend_${source} PRIVATE certile_warnings ${backend_LINKS})
      if(backend_CXX_STANDARD)
        set_target_properties(certile_backend_${source} PROPERTIES CXX_STANDARD ${backend_CXX_STANDARD})
      endif()
      target_sources(certile_backends_registry PRIVATE $<TARGET_OBJECTS:certile_backend_${source}>)
      foreach(link IN LISTS backend_LINKS)
        target_link_libraries(certile_backends_registry INTERFACE $<LINK_ONLY:${link}>)
      endforeach()
    endif()
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY certile_backend_entries
    "      {\"${name}\", \"${backend_SUMMARY}\", \"${missing}\", ${open}, ${supported}, ${slow}},\n")
endfunction()

# Writes the list, after the last certile_add_backend().
function(certile_finish_backends)
  get_property(declarations GLOBAL PROPERTY certile_backend_declarations)
  get_property(entries GLOBAL PROPERTY certile_backend_entries)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/built_in_list.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/built_in_list.cpp @ONLY)
  target_sources(certile_backends_registry PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/built_in_list.cpp)
endfunction()

# certile_add_plugin(NAME FOLDER SOURCE...): a shared library to load at run time, build/<preset>/FOLDER/NAME.so.
# It knows only the C header of certile.
function(certile_add_plugin name folder)
  add_library(plugin_${name} MODULE ${ARGN})
  target_include_directories(plugin_${name} PRIVATE ${PROJECT_SOURCE_DIR}/backends/plugin)
  target_link_libraries(plugin_${name} PRIVATE certile_warnings)
  set_target_properties(plugin_${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${folder})
endfunction()
