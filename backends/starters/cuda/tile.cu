// The kernel: yours goes here.  certile's buffers are in the memory of the host, so the data are copied to the device, tiled there,
// and copied back.
#include "tile.hpp"

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

namespace {

constexpr int most_axes = 64;
constexpr unsigned threads_of_a_block = 256;
constexpr std::uint64_t most_blocks = 65535;

// The axes of a call, as an argument of the kernel.
struct Axes {
  int count;
  std::uint64_t shape[most_axes], repeats[most_axes];
};

void check(cudaError_t code) {
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // the next call starts without this error
    throw std::bad_alloc();
  }
  if (code != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(code));
}

// Memory of the device.
class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t size) { check(cudaMalloc(&bytes_, size)); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer() { cudaFree(bytes_); }
  unsigned char* bytes() const { return static_cast<unsigned char*>(bytes_); }

 private:
  void* bytes_ = nullptr;
};

// Finds for each element of the output the one of the data, from the last axis to the first.
__global__ void tile_elements(Axes axes, const unsigned char* data, unsigned char* out, std::uint64_t count,
                              std::uint64_t width) {
  const std::uint64_t threads = std::uint64_t(gridDim.x) * blockDim.x;
  for (std::uint64_t to = std::uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; to < count; to += threads) {
    std::uint64_t rest = to, from = 0, stride = 1;
    for (int axis = axes.count; axis-- > 0;) {
      from += rest % axes.shape[axis] * stride;
      stride *= axes.shape[axis];
      rest /= axes.shape[axis] * axes.repeats[axis];
    }
    for (std::uint64_t byte = 0; byte < width; ++byte)
      out[to * width + byte] = data[from * width + byte];
  }
}

}  // namespace

void prepare() {
  int devices = 0;
  const cudaError_t code = cudaGetDeviceCount(&devices);
  if (code != cudaSuccess) throw std::runtime_error(std::string("no CUDA device: ") + cudaGetErrorString(code));
  if (devices == 0) throw std::runtime_error("no CUDA device");
}

void tile(const Tiling& call, const std::byte* data, std::byte* out) {
  Axes axes{static_cast<int>(call.shape.size()), {}, {}};
  for (std::size_t axis = 0; axis < call.shape.size(); ++axis) {
    axes.shape[axis] = static_cast<std::uint64_t>(call.shape[axis]);
    axes.repeats[axis] = static_cast<std::uint64_t>(call.repeats[axis]);
  }
  const DeviceBuffer from(call.data_size), to(call.out_size);
  const std::uint64_t count = call.out_size / call.element_size;
  const std::uint64_t wanted = (count + threads_of_a_block - 1) / threads_of_a_block;
  const auto blocks = static_cast<unsigned>(wanted < most_blocks ? wanted : most_blocks);
  check(cudaMemcpy(from.bytes(), data, call.data_size, cudaMemcpyHostToDevice));
  tile_elements<<<blocks, threads_of_a_block>>>(axes, from.bytes(), to.bytes(), count, call.element_size);
  check(cudaGetLastError());
  check(cudaMemcpy(out, to.bytes(), call.out_size, cudaMemcpyDeviceToHost));  // after the kernel has ended
}
