#include "enclosures/driver.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <initializer_list>
#include <map>
#include <mutex>

namespace assay::enclosures {
namespace {

/// A function of a library of CUDA by its name. Errors: NoDevice.
template <class Function>
Function* function_of(void* library, const char* name) {
  void* const found = dlsym(library, name);
  if (found == nullptr) throw NoDevice(std::string("CUDA has no ") + name + ": it is older than 11.4");
  return reinterpret_cast<Function*>(found);
}

/// The first of the libraries that loads, the one that an environment variable names before all; null without one.
void* opened(const char* variable, std::initializer_list<const char*> names) {
  if (const char* const named = std::getenv(variable)) return dlopen(named, RTLD_NOW | RTLD_LOCAL);
  for (const char* const name : names) {
    if (void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

using Address = std::uint64_t;
constexpr int out_of_memory = 2;

/// The functions of the driver that are used here.
struct Driver {
  void* library;
  int (*get_error_string)(int, const char**) = function_of<int(int, const char**)>(library, "cuGetErrorString");
  int (*init)(unsigned) = function_of<int(unsigned)>(library, "cuInit");
  int (*pointer_attribute)(void*, int, Address) = function_of<int(void*, int, Address)>(library,
                                                                                        "cuPointerGetAttribute");
  int (*device_attribute)(int*, int, int) = function_of<int(int*, int, int)>(library, "cuDeviceGetAttribute");
  int (*retain)(void**, int) = function_of<int(void**, int)>(library, "cuDevicePrimaryCtxRetain");
  int (*release)(int) = function_of<int(int)>(library, "cuDevicePrimaryCtxRelease_v2");
  int (*push)(void*) = function_of<int(void*)>(library, "cuCtxPushCurrent_v2");
  int (*pop)(void**) = function_of<int(void**)>(library, "cuCtxPopCurrent_v2");
  int (*memory_info)(std::size_t*, std::size_t*) = function_of<int(std::size_t*, std::size_t*)>(library,
                                                                                                "cuMemGetInfo_v2");
  int (*allocate)(Address*, std::size_t) = function_of<int(Address*, std::size_t)>(library, "cuMemAlloc_v2");
  int (*free)(Address) = function_of<int(Address)>(library, "cuMemFree_v2");
  int (*set)(Address, unsigned char,
             std::size_t) = function_of<int(Address, unsigned char, std::size_t)>(library, "cuMemsetD8_v2");
  int (*to_device)(Address, const void*,
                   std::size_t) = function_of<int(Address, const void*, std::size_t)>(library, "cuMemcpyHtoD_v2");
  int (*to_host)(void*, Address, std::size_t) = function_of<int(void*, Address, std::size_t)>(library,
                                                                                              "cuMemcpyDtoH_v2");
  int (*load)(void**, const void*) = function_of<int(void**, const void*)>(library, "cuModuleLoadData");
  int (*unload)(void*) = function_of<int(void*)>(library, "cuModuleUnload");
  int (*get_function)(void**, void*, const char*) = function_of<int(void**, void*, const char*)>(library,
                                                                                                 "cuModuleGetFunction");
  int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                void**) = function_of<int(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                          void*, void**, void**)>(library, "cuLaunchKernel");

  /// Errors: std::runtime_error with the driver's words for a status other than 0.
  void check(int status, const char* what) const {
    if (status == 0) return;
    const char* words = nullptr;
    get_error_string(status, &words);
    throw std::runtime_error(std::string(what) + " on the device: " + (words == nullptr ? "failed" : words));
  }
};

const Driver& driver() {
  static const Driver all = [] {
    void* const library = opened("ASSAY_CUDA_DRIVER", {"libcuda.so.1"});
    if (library == nullptr) throw NoDevice("there is no CUDA driver (libcuda.so.1)");
    Driver found{library};
    if (found.init(0) != 0) throw NoDevice("the CUDA driver has no device");
    return found;
  }();
  return all;
}

/// The functions of NVRTC that are used here.
struct Compiler {
  void* library;
  int (*create)(void**, const char*, const char*, int, const char* const*, const char* const*) =
      function_of<int(void**, const char*, const char*, int, const char* const*, const char* const*)>(
          library, "nvrtcCreateProgram");
  int (*compile)(void*, int,
                 const char* const*) = function_of<int(void*, int, const char* const*)>(library, "nvrtcCompileProgram");
  int (*log_size)(void*, std::size_t*) = function_of<int(void*, std::size_t*)>(library, "nvrtcGetProgramLogSize");
  int (*log)(void*, char*) = function_of<int(void*, char*)>(library, "nvrtcGetProgramLog");
  int (*size)(void*, std::size_t*) = function_of<int(void*, std::size_t*)>(library, "nvrtcGetCUBINSize");
  int (*cubin)(void*, char*) = function_of<int(void*, char*)>(library, "nvrtcGetCUBIN");
  int (*destroy)(void**) = function_of<int(void**)>(library, "nvrtcDestroyProgram");
};

const Compiler& compiler() {
  static const Compiler all = [] {
    void* const library = opened("ASSAY_NVRTC", {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so",
                                                 "/usr/local/cuda/lib64/libnvrtc.so"});
    if (library == nullptr) {
      throw NoDevice("there is no NVRTC (libnvrtc.so), which compiles the judge for the device; ASSAY_NVRTC names it");
    }
    return Compiler{library};
  }();
  return all;
}

constexpr int attribute_device_ordinal = 9, attribute_memory_type = 2, memory_of_device = 2;
constexpr int attribute_processors = 16, attribute_major = 75, attribute_minor = 76;

int attribute_of(int device, int attribute) {
  int value = 0;
  driver().check(driver().device_attribute(&value, attribute, device), "a question");
  return value;
}

}  // namespace

Device::Device(std::uint64_t address) {
  const Driver& cuda = driver();
  int type = 0;
  const bool is_known = cuda.pointer_attribute(&type, attribute_memory_type, address) == 0 && type == memory_of_device;
  if (!is_known) throw NoDevice("the arrays do not lie in the memory of a CUDA device");
  cuda.check(cuda.pointer_attribute(&device_, attribute_device_ordinal, address), "a question");
  cuda.check(cuda.retain(&context_, device_), "a context");
  cuda.check(cuda.push(context_), "a context");
}
Device::~Device() {
  void* popped = nullptr;
  driver().pop(&popped);
  driver().release(device_);
}
std::size_t Device::free_memory() const {
  std::size_t free = 0;
  std::size_t all = 0;
  driver().check(driver().memory_info(&free, &all), "a question");
  return free;
}
int Device::processors() const { return attribute_of(device_, attribute_processors); }
std::string Device::architecture() const {
  return "sm_" + std::to_string(attribute_of(device_, attribute_major)) +
         std::to_string(attribute_of(device_, attribute_minor));
}

DeviceMemory::DeviceMemory(std::size_t bytes) : bytes_(bytes) {
  const int status = driver().allocate(&address_, bytes == 0 ? 1 : bytes);
  if (status == out_of_memory) {
    throw DeviceMemoryFull("the device has no " + std::to_string(bytes) + " bytes of memory left for the judge");
  }
  driver().check(status, "memory");
}
DeviceMemory::~DeviceMemory() { driver().free(address_); }
void DeviceMemory::clear() const { driver().check(driver().set(address_, 0, bytes_), "a copy"); }
void DeviceMemory::spoil() const { driver().check(driver().set(address_, 0xff, bytes_), "a copy"); }
void DeviceMemory::write(const void* from, std::size_t bytes) const {
  driver().check(driver().to_device(address_, from, bytes), "a copy");
}
void DeviceMemory::read(void* to, std::size_t bytes) const { read_device(address_, to, bytes); }
void read_device(std::uint64_t address, void* to, std::size_t bytes) {
  driver().check(driver().to_host(to, address, bytes), "a copy");
}

namespace {

std::string compiled_anew(const std::string& architecture, const char* source,
                          const std::vector<Kernels::Header>& headers, const std::vector<std::string>& definitions) {
  const Compiler& nvrtc = compiler();
  std::vector<const char*> names;
  std::vector<const char*> texts;
  for (const Kernels::Header& each : headers) {
    names.push_back(each.name);
    texts.push_back(each.text);
  }
  std::vector<std::string> options{"--gpu-architecture=" + architecture, "--std=c++17", "--fmad=false"};
  for (const std::string& each : definitions) options.push_back("-D" + each);
  std::vector<const char*> pointers;
  for (const std::string& each : options) pointers.push_back(each.c_str());
  void* program = nullptr;
  if (nvrtc.create(&program, source, "assay.cu", static_cast<int>(names.size()), texts.data(), names.data()) != 0) {
    throw NoDevice("NVRTC does not work");
  }
  const int status = nvrtc.compile(program, static_cast<int>(pointers.size()), pointers.data());
  std::size_t size = 0;
  std::string text;
  if (status != 0) {
    nvrtc.log_size(program, &size);
    text.resize(size);
    nvrtc.log(program, text.data());
    nvrtc.destroy(&program);
    throw std::logic_error("NVRTC for " + architecture + ": " + text.substr(0, text.find('\n')));
  }
  nvrtc.size(program, &size);
  text.resize(size);
  nvrtc.cubin(program, text.data());
  nvrtc.destroy(&program);
  return text;
}

}  // namespace

std::string compiled(const std::string& architecture, const char* source, const std::vector<Kernels::Header>& headers,
                     const std::vector<std::string>& definitions) {
  static std::mutex one;
  static std::map<std::string, std::string> known;
  std::string key = architecture + source;
  for (const std::string& each : definitions) key += ' ' + each;
  const std::lock_guard lock(one);
  const auto at = known.try_emplace(std::move(key)).first;
  if (at->second.empty()) at->second = compiled_anew(architecture, source, headers, definitions);
  return at->second;
}

Kernels::Kernels(const Device& device, const char* source, const std::vector<Header>& headers,
                 const std::vector<std::string>& definitions) {
  const std::string cubin = compiled(device.architecture(), source, headers, definitions);
  driver().check(driver().load(&module_, cubin.data()), "the judge");
}
Kernels::~Kernels() { driver().unload(module_); }

void Kernels::start(const char* name, const Grid& grid, void** arguments) const {
  void* function = nullptr;
  driver().check(driver().get_function(&function, module_, name), name);
  driver().check(driver().launch(function, grid.x, grid.y, grid.z, grid.threads, 1, 1, 0, nullptr, arguments, nullptr),
                 name);
}

}  // namespace assay::enclosures
