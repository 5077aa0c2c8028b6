# CERTILE_PORTABLE: the installed programs need only the C and the C++ library and files of the same prefix, so they run on
# another machine. Debian's libraries are linked statically; those that it has as shared libraries only are installed in
# lib/certile. The C++ library stays shared: with two copies of it, an exception of a plugin ends the host process.
option(CERTILE_PORTABLE "Link the libraries of the programs statically" OFF)
set(certile_fmt fmt::fmt)
set(certile_pugixml pugixml::pugixml)
set(certile_zstd zstd::libzstd_shared)
find_package(zstd REQUIRED)
if(NOT CERTILE_PORTABLE)
  return()
endif()

set(certile_fmt fmt::fmt-header-only)
set(certile_pugixml pugixml::static)
set(certile_zstd zstd::libzstd_static)
set(OPENSSL_USE_STATIC_LIBS ON)
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libgomp.a OUTPUT_VARIABLE gomp OUTPUT_STRIP_TRAILING_WHITESPACE)
set(OpenMP_gomp_LIBRARY ${gomp} CACHE FILEPATH "The static library of OpenMP")
add_link_options(-Wl,--gc-sections -Wl,--as-needed)
add_compile_options(-ffunction-sections -fdata-sections)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/certile")

# certile_bundle(TARGET): installs a shared library where the programs find it.
function(certile_bundle target)
  get_target_property(configurations ${target} IMPORTED_CONFIGURATIONS)
  list(GET configurations 0 configuration)
  get_target_property(library ${target} IMPORTED_LOCATION_${configuration})
  get_target_property(soname ${target} IMPORTED_SONAME_${configuration})
  file(REAL_PATH ${library} library)
  install(FILES ${library} RENAME ${soname} DESTINATION ${CMAKE_INSTALL_LIBDIR}/certile COMPONENT certile PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endfunction()
foreach(package IN ITEMS hwy benchmark)
  find_package(${package} QUIET)
  if(TARGET ${package}::${package})
    certile_bundle(${package}::${package})
  endif()
endforeach()
