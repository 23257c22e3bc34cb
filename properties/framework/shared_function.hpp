#pragma once
// A function with its type erased, like std::function. The compiler generates three small functions for each function
// object instead of a dozen, and the catalog holds about two thousand objects (docs/decisions/compile_time.md).

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace assay {

template <class Signature>
class SharedFunction;

/// A function object or a function pointer, or none. Copies share the object, which is called as const.
template <class Result, class... Arguments>
class SharedFunction<Result(Arguments...)> {
 public:
  SharedFunction() = default;
  SharedFunction(std::nullptr_t) {}
  template <class F>
    requires(!std::is_same_v<F, SharedFunction> && std::is_invocable_r_v<Result, const F&, Arguments...>)
  SharedFunction(F f) : call_(&call<F>), object_(static_cast<const void*>(new F(std::move(f))), &destroy<F>) {}

  /// Requires: a function is held (not checked).
  Result operator()(Arguments... arguments) const {
    return call_(object_.get(), std::forward<Arguments>(arguments)...);
  }
  explicit operator bool() const { return call_ != nullptr; }

 private:
  template <class F>
  static Result call(const void* object, Arguments... arguments) {
    return (*static_cast<const F*>(object))(std::forward<Arguments>(arguments)...);
  }
  template <class F>
  static void destroy(const void* object) {
    delete static_cast<const F*>(object);
  }

  Result (*call_)(const void*, Arguments...) = nullptr;
  // Made from a pointer to void, so that one control block serves every F: a quarter of the compiler's time.
  std::shared_ptr<const void> object_;
};

}  // namespace assay
