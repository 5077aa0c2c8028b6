# 64-bit Arm, built on another machine: Debian's cross compiler, and Debian's libraries for that architecture, which are
# installed next to our own.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc-12)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++-12)

# "max": every extension that the emulator knows, SVE2 among them; vectors of 256 bits.
set(CMAKE_CROSSCOMPILING_EMULATOR
  /usr/bin/python3 -IS ${CMAKE_CURRENT_LIST_DIR}/../tools/adopting.py qemu-aarch64 -cpu max,sve-max-vq=2)

# Otherwise pkg-config would find the packages of the building machine.
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)

# Headers only, the same everywhere; but Debian keeps their CMake file in the folder of the architecture that they were
# installed for.
file(GLOB xtensor_DIR /usr/lib/*/cmake/xtensor)
