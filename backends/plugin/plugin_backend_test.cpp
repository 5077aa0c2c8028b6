// The rules of the C table, with tables made here.  Loading libraries is tested in load_plugin_test.cpp.
#include "backends/plugin/plugin_backend.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "reference/values/call.hpp"
#include "reference/values/definitions_test.hpp"

namespace certile {
namespace {

using Status = std::int32_t;

int destroyed = 0;

Status infer_same(void*, const certile_call* call, std::int64_t* shape, std::int32_t, std::int32_t* rank,
                  certile_text*) {
  for (std::int32_t axis = 0; axis < call->data->rank; ++axis)
    shape[axis] = call->data->shape[axis];
  *rank = call->data->rank;
  return CERTILE_OK;
}

Status run_nothing(void*, const certile_call*, certile_tensor*, certile_text*) {
  return CERTILE_OK;
}

Status open_usable(std::uint32_t, std::uint32_t, certile_plugin* plugin) {
  plugin->struct_size = sizeof *plugin;
  plugin->abi_major = CERTILE_ABI_MAJOR;
  plugin->abi_minor = CERTILE_ABI_MINOR;
  plugin->name = "mine";
  plugin->version = "2.1";
  plugin->operators = "onnx-tile-13";
  plugin->types = "f32 u8";
  plugin->repeats_types = "i64";
  plugin->infer = infer_same;
  plugin->run = run_nothing;
  plugin->destroy = [](void*) { ++destroyed; };
  return CERTILE_OK;
}

// Opens the usable table with one change; a change may say with which status it opens.
template <class Change>
Result<std::unique_ptr<Backend>> open_with(Change) {
  return open_plugin("./mine.so",
                     [](std::uint32_t major, std::uint32_t minor, certile_plugin* plugin) -> Status {
                       open_usable(major, minor, plugin);
                       if constexpr (std::is_void_v<decltype(Change()(plugin))>) {
                         Change()(plugin);
                         return CERTILE_OK;
                       } else {
                         return Change()(plugin);
                       }
                     });
}

// The sentence with which such a table is refused.
template <class Change>
std::string refusal(Change change) {
  const auto opened = open_with(change);
  if (opened) return "opened";
  return opened.error().code == Error::Code::io ? opened.error().what : "not an io error";
}

CallTensors tensors_of(const std::string& literal) {
  return make_call(*parse_case(literal));
}

Error infer_error(Backend& backend) {
  const CallTensors tensors = tensors_of("onnx-tile-13 f32[2] x i64{1}");
  const auto shape = backend.infer(tensors.call());
  return shape ? Error{Error::Code::bad_literal, "inferred"} : shape.error();
}

template <class Change>
Error run_error(Change change) {
  const auto backend = open_with(change);
  if (!backend) return backend.error();
  const CallTensors tensors = tensors_of("onnx-tile-13 f32[2] x i64{1}");
  Tensor out(ElementType::f32, {2});
  const auto run = (*backend)->run(tensors.call(), out.mutable_view());
  return run ? Error{Error::Code::bad_literal, "ran"} : run.error();
}

template <class Change>
Backend::Filled filled_by(Change change) {
  const auto backend = open_with(change);
  const CallTensors tensors = tensors_of("onnx-tile-13 f32[2] x i64{1}");
  Tensor out(ElementType::f32, {2});
  return *(*backend)->run(tensors.call(), out.mutable_view());
}

TEST(PluginBackend, DescribesTheClaim) {
  const auto backend = open_with([](certile_plugin* plugin) {
    plugin->types = " f32  u8 f32 ";
    plugin->max_rank = std::numeric_limits<std::int64_t>::max();
    plugin->max_bytes = 4096;
  });
  ASSERT_TRUE(backend) << backend.error().what;
  Description expected;
  expected.name = "mine";
  expected.version = "2.1";
  expected.definitions = {onnx_tile_13};
  expected.types = {ElementType::f32, ElementType::u8};
  expected.repeats_types = {ElementType::i64};
  expected.max_rank = std::numeric_limits<int>::max();
  expected.max_bytes = 4096;
  EXPECT_EQ((*backend)->describe(), expected);
}

TEST(PluginBackend, LeavesAnotherMajorUntouched) {
  destroyed = 0;
  EXPECT_EQ(
      refusal([](certile_plugin* plugin) {
        plugin->abi_major = 7;
        plugin->struct_size = 3;
        plugin->name = reinterpret_cast<const char*>(1);
      }),
      "./mine.so: the plugin is of ABI major 7, and this certile speaks 1; rebuild it with this certile's "
      "certile_plugin.h");
  EXPECT_EQ(destroyed, 0);
}

TEST(PluginBackend, NamesTheMajorOfAPluginThatRefusesOurs) {
  EXPECT_EQ(refusal([](certile_plugin* plugin) {
              plugin->abi_major = 2;
              return CERTILE_UNSUPPORTED;
            }).substr(0, 41),
            "./mine.so: the plugin is of ABI major 2, ");
}

TEST(PluginBackend, SaysWhenAPluginRefusesToOpen) {
  EXPECT_EQ(
      refusal([](certile_plugin*) { return CERTILE_NO_MEMORY; }),
      "./mine.so: the plugin refuses to open (no memory, without a message); its makers know what it needs");
}

TEST(PluginBackend, CatchesWhatOpenThrows) {
  EXPECT_EQ(refusal([](certile_plugin*) -> Status { throw std::runtime_error("no device"); }),
            "./mine.so: while opening, an exception crossed the C table: no device; catch it in "
            "certile_plugin_open");
}

TEST(PluginBackend, ReadsNothingPastThePluginsOwnSize) {
  EXPECT_NE(refusal([](certile_plugin* plugin) {
              plugin->struct_size = offsetof(certile_plugin, destroy);
            }).find("struct_size is"),
            std::string::npos);
}

TEST(PluginBackend, AcceptsATableThatHasGrown) {
  EXPECT_TRUE(open_with([](certile_plugin* plugin) {
    plugin->struct_size = sizeof *plugin + 64;
    plugin->abi_minor = 9;
  }));
}

TEST(PluginBackend, RefusesATableWithoutRunOrDestroy) {
  EXPECT_NE(refusal([](certile_plugin* plugin) { plugin->run = nullptr; }).find("run is missing"),
            std::string::npos);
  EXPECT_NE(refusal([](certile_plugin* plugin) { plugin->destroy = nullptr; }).find("destroy is missing"),
            std::string::npos);
}

TEST(PluginBackend, RefusesAMissingOrEndlessName) {
  EXPECT_NE(refusal([](certile_plugin* plugin) {
              plugin->name = nullptr;
            }).find("name is no text of 1 to 200 characters"),
            std::string::npos);
  EXPECT_NE(refusal([](certile_plugin* plugin) {
              static const std::string endless(1 << 20, 'x');
              plugin->version = endless.c_str();
            }).find("version is no text of 1 to 200 characters"),
            std::string::npos);
}

TEST(PluginBackend, RefusesListsThatAreMissingEmptyOrUnknown) {
  EXPECT_NE(refusal([](certile_plugin* plugin) {
              plugin->operators = nullptr;
            }).find("operators is no text of at most 4000 characters"),
            std::string::npos);
  EXPECT_NE(refusal([](certile_plugin* plugin) { plugin->types = "  "; }).find("types is empty"),
            std::string::npos);
  EXPECT_NE(refusal([](certile_plugin* plugin) {
              plugin->repeats_types = "i64 int";
            }).find("repeats_types holds 'int', which is no name that certile knows"),
            std::string::npos);
}

TEST(PluginBackend, RefusesNegativeLimits) {
  EXPECT_NE(refusal([](certile_plugin* plugin) { plugin->max_elements = -1; }).find("a limit is negative"),
            std::string::npos);
}

TEST(PluginBackend, DestroysATableThatItRefuses) {
  destroyed = 0;
  EXPECT_NE(refusal([](certile_plugin* plugin) { plugin->types = ""; }), "opened");
  EXPECT_EQ(destroyed, 1);
}

TEST(PluginBackend, DestroysTheTableOnceAndSurvivesWhatThatThrows) {
  destroyed = 0;
  {
    const auto backend = open_with([](certile_plugin* plugin) {
      plugin->destroy = [](void*) {
        ++destroyed;
        throw 1;
      };
    });
    ASSERT_TRUE(backend);
    EXPECT_EQ(destroyed, 0);
  }
  EXPECT_EQ(destroyed, 1);
}

TEST(PluginBackend, IsUnsupportedWithoutInfer) {
  const auto backend = open_with([](certile_plugin* plugin) { plugin->infer = nullptr; });
  ASSERT_TRUE(backend);
  EXPECT_FALSE((*backend)->describe().infers);
  EXPECT_EQ(infer_error(**backend).code, Error::Code::unsupported);
}

TEST(PluginBackend, PassesAbsurdDimensionsOn) {
  const auto backend = open_with([](certile_plugin* plugin) {
    plugin->infer = [](void*, const certile_call*, std::int64_t* shape, std::int32_t capacity,
                       std::int32_t* rank, certile_text*) {
      shape[0] = -4;
      shape[1] = std::numeric_limits<std::int64_t>::max();
      *rank = capacity < 64 ? -1 : 3;  // the third is left unwritten
      return Status{CERTILE_OK};
    };
  });
  const CallTensors tensors = tensors_of("onnx-tile-13 f32[2] x i64{1}");
  const auto shape = (*backend)->infer(tensors.call());
  ASSERT_TRUE(shape);
  EXPECT_EQ(*shape,
            (Shape{-4, std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}));
}

TEST(PluginBackend, FailsForAnImpossibleRank) {
  const auto negative = open_with([](certile_plugin* plugin) {
    plugin->infer = [](void*, const certile_call*, std::int64_t*, std::int32_t, std::int32_t* rank,
                       certile_text*) {
      *rank = -2;
      return Status{CERTILE_OK};
    };
  });
  const auto above = open_with([](certile_plugin* plugin) {
    plugin->infer = [](void*, const certile_call*, std::int64_t*, std::int32_t capacity, std::int32_t* rank,
                       certile_text*) {
      *rank = capacity + 1;
      return Status{CERTILE_OK};
    };
  });
  EXPECT_EQ(infer_error(**negative).what, "infer gave the rank -2, with room for 64 dimensions");
  EXPECT_EQ(infer_error(**above).code, Error::Code::backend_failed);
}

TEST(PluginBackend, GivesEveryStatusItsMeaning) {
  struct Row {
    Status status;
    Error::Code code;
  };
  static Status status = 0;
  for (const Row& row :
       {Row{CERTILE_REJECTED, Error::Code::rejected}, Row{CERTILE_UNSUPPORTED, Error::Code::unsupported},
        Row{CERTILE_NO_MEMORY, Error::Code::out_of_memory}, Row{CERTILE_FAILED, Error::Code::backend_failed},
        Row{99, Error::Code::backend_failed}, Row{-1, Error::Code::backend_failed}}) {
    status = row.status;
    const Error error = run_error([](certile_plugin* plugin) {
      plugin->run = [](void*, const certile_call*, certile_tensor*, certile_text*) { return status; };
    });
    EXPECT_EQ(error.code, row.code) << row.status;
    EXPECT_FALSE(error.what.empty());
  }
}

TEST(PluginBackend, CutsMessagesAndPassesControlCharactersOn) {
  const Error endless = run_error([](certile_plugin* plugin) {
    plugin->run = [](void*, const certile_call*, certile_tensor*, certile_text* why) {
      std::memset(why->utf8, 'x', why->capacity);
      why->capacity = 1u << 30;
      why->utf8 = nullptr;
      return Status{CERTILE_REJECTED};
    };
  });
  EXPECT_EQ(endless.what, std::string(1023, 'x'));
  const Error raw = run_error([](certile_plugin* plugin) {
    plugin->run = [](void*, const certile_call*, certile_tensor*, certile_text* why) {
      std::strcpy(why->utf8, "\033[2J\n");
      return Status{CERTILE_REJECTED};
    };
  });
  EXPECT_EQ(raw.what, "\033[2J\n");
}

TEST(PluginBackend, TurnsExceptionsIntoFailures) {
  EXPECT_EQ(run_error([](certile_plugin* plugin) {
              plugin->run = [](void*, const certile_call*, certile_tensor*, certile_text*) -> Status {
                throw 42;
              };
            }).what,
            "an exception crossed the C table");
}

TEST(PluginBackend, ReportsADescriptorThatWasChanged) {
  const Backend::Filled moved = filled_by([](certile_plugin* plugin) {
    plugin->run = [](void*, const certile_call* call, certile_tensor* out, certile_text*) {
      out->data = call->data->data;
      return Status{CERTILE_OK};
    };
  });
  EXPECT_TRUE(moved.moved && !moved.reshaped && !moved.retyped);
  const Backend::Filled realigned = filled_by([](certile_plugin* plugin) {
    plugin->run = [](void*, const certile_call*, certile_tensor* out, certile_text*) {
      out->alignment = 4096;
      return Status{CERTILE_OK};
    };
  });
  EXPECT_TRUE(realigned.moved && !realigned.reshaped && !realigned.retyped);
  const Backend::Filled reshaped = filled_by([](certile_plugin* plugin) {
    plugin->run = [](void*, const certile_call*, certile_tensor* out, certile_text*) {
      const_cast<std::int64_t*>(out->shape)[0] = 1;
      return Status{CERTILE_OK};
    };
  });
  EXPECT_TRUE(!reshaped.moved && reshaped.reshaped && !reshaped.retyped);
  const Backend::Filled retyped = filled_by([](certile_plugin* plugin) {
    plugin->run = [](void*, const certile_call*, certile_tensor* out, certile_text*) {
      out->element_type = CERTILE_I32;
      return Status{CERTILE_OK};
    };
  });
  EXPECT_TRUE(!retyped.moved && !retyped.reshaped && retyped.retyped);
}

// What the plugin was given, kept for the test to look at.
certile_tensor seen_data, seen_out;

TEST(PluginBackend, GivesNoPointerWhereThereAreNoBytes) {
  const auto backend = open_with([](certile_plugin* plugin) {
    plugin->run = [](void*, const certile_call* call, certile_tensor* out, certile_text*) {
      seen_data = *call->data;
      seen_out = *out;
      return Status{CERTILE_OK};
    };
  });
  const CallTensors tensors = tensors_of("onnx-tile-13 f64[0] x i64{1}");
  Tensor out(ElementType::f64, {0});
  ASSERT_TRUE((*backend)->run(tensors.call(), out.mutable_view()));
  EXPECT_EQ(seen_data.data, nullptr);
  EXPECT_EQ(seen_out.data, nullptr);
  EXPECT_EQ(seen_out.byte_size, 0U);
  EXPECT_EQ(seen_out.alignment, 8U);
  EXPECT_EQ(seen_out.element_bits, 64U);
}

TEST(PluginBackend, StatesTheAlignmentThatThereIs) {
  const auto backend = open_with([](certile_plugin* plugin) {
    plugin->run = [](void*, const certile_call*, certile_tensor* out, certile_text*) {
      seen_out = *out;
      return Status{CERTILE_OK};
    };
  });
  alignas(64) std::array<std::byte, 128> memory;
  const CallTensors tensors = tensors_of("onnx-tile-13 u8[2] x i64{1}");
  const Shape shape{2};
  ASSERT_TRUE((*backend)->run(tensors.call(), {ElementType::u8, shape, std::span(memory).subspan(4, 2)}));
  EXPECT_EQ(seen_out.alignment, 4U);
  ASSERT_TRUE((*backend)->run(tensors.call(), {ElementType::u8, shape, std::span(memory).subspan(9, 2)}));
  EXPECT_EQ(seen_out.alignment, 1U);
}

}  // namespace
}  // namespace certile
