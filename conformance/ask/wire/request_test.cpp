#include "conformance/ask/wire/request.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "conformance/ask/observe.hpp"
#include "conformance/judge/expectation.hpp"

namespace certile::conformance {
namespace {

Request request_for(const std::string& literal) {
  const Case question = *parse_case(literal);
  return make_request(question, *expect(question));
}

template <class Write>
std::vector<std::byte> bytes_written_by(Write&& write) {
  std::vector<std::byte> buffer(1 << 16);
  WireWriter writer(buffer);
  write(writer);
  EXPECT_TRUE(writer.fits());
  buffer.resize(writer.used());
  return buffer;
}

std::vector<std::byte> bytes_of(const Request& request, bool infers = true) {
  return bytes_written_by([&](WireWriter& writer) { write_request(writer, request, infers); });
}

std::vector<std::byte> bytes_of(const Reply& reply) {
  return bytes_written_by([&](WireWriter& writer) { write_reply(writer, reply); });
}

Reply full_reply() {
  Reply reply;
  reply.inferred = Status::ok;
  reply.message = "why";
  reply.shape = {2, 3};
  for (RunReply& run : reply.runs) {
    run.end = Status::ok;
    run.message = "how";
    run.moved = run.changed_input = run.raced = run.misplaced = true;
    run.outputs = {{std::byte{1}, std::byte{2}}, {}};
  }
  reply.runs[1].like_first = true;
  reply.timing = {12, 34};
  return reply;
}

TEST(Request, ArrivesAsItWasSent) {
  Request sent = request_for("onnx-tile-1 f32[2,3] x f32[]{2} along f32[]{1} @offset=4,output=8,threads=2");
  sent.left_side_first = true;
  sent.in_turn = true;
  const auto bytes = bytes_of(sent);
  WireReader reader(bytes);
  const auto got = read_request(reader);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->definition, sent.definition);
  EXPECT_EQ(got->placement, sent.placement);
  EXPECT_TRUE(got->left_side_first);
  EXPECT_TRUE(got->in_turn);
  EXPECT_EQ(got->data, sent.data);
  EXPECT_EQ(got->repeats, sent.repeats);
  EXPECT_EQ(got->axis, sent.axis);
  EXPECT_EQ(got->shape_digest, sent.shape_digest);
  EXPECT_EQ(got->reply_limit, sent.reply_limit);
  EXPECT_EQ(reader.used(), bytes.size());
}

TEST(Request, CarriesTheExpectedShapeOnlyToABackendThatCannotInferIt) {
  const Request sent = request_for("onnx-tile-13 u8[3] x i64{5}");
  const auto shape_that_arrives = [&](bool infers) {
    const auto bytes = bytes_of(sent, infers);
    WireReader reader(bytes);
    return read_request(reader)->fallback_shape;
  };
  EXPECT_EQ(shape_that_arrives(true), Shape{});
  EXPECT_EQ(shape_that_arrives(false), Shape{15});
}

TEST(Request, ForPlainCallsArrivesAsItWasSent) {
  Request sent = request_for("onnx-tile-13 u8[3] x i64{5}");
  sent.plain = PlainCalls{.timed = 7, .cold = true, .begin = 9};
  const auto bytes = bytes_of(sent);
  WireReader reader(bytes);
  const auto got = read_request(reader);
  ASSERT_TRUE(got && got->plain);
  EXPECT_EQ(got->plain->timed, 7);
  EXPECT_TRUE(got->plain->cold);
  EXPECT_FALSE(got->plain->again);
  EXPECT_EQ(got->plain->begin, 9U);
  EXPECT_EQ(got->data, sent.data);
}

TEST(Request, ForTheSameOperandsAgainLeavesThemOut) {
  Request sent = request_for("onnx-tile-13 u8[1000] x i64{5}");
  sent.plain = PlainCalls{.timed = 7, .again = true};
  const auto bytes = bytes_of(sent);
  EXPECT_LT(bytes.size(), 1000U);
  WireReader reader(bytes);
  const auto got = read_request(reader);
  ASSERT_TRUE(got && got->plain);
  EXPECT_TRUE(got->plain->again);
  EXPECT_TRUE(got->data.empty());
}

TEST(Request, HasNoShapeWhereARefusalIsDue) {
  EXPECT_FALSE(request_for("onnx-tile-13 f32[2] x i64{-1}").shape_digest);
}

TEST(Request, IsNoneWhenItIsCutAnywhere) {
  const auto bytes = bytes_of(request_for("onnx-tile-13 string[2] x i64{2}"));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    WireReader reader({bytes.data(), size});
    EXPECT_FALSE(read_request(reader)) << size;
  }
}

TEST(Reply, ArrivesAsItWasSent) {
  const auto bytes = bytes_of(full_reply());
  WireReader reader(bytes);
  const auto got = read_reply(reader);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->inferred, Status::ok);
  EXPECT_EQ(got->message, "why");
  EXPECT_EQ(got->shape, (Shape{2, 3}));
  EXPECT_TRUE(got->runs[0].moved && got->runs[0].changed_input && got->runs[0].raced &&
              got->runs[0].misplaced);
  EXPECT_FALSE(got->runs[0].wrote_outside || got->runs[0].like_first);
  EXPECT_TRUE(got->runs[1].like_first);
  EXPECT_EQ(got->runs[1].outputs, full_reply().runs[1].outputs);
  EXPECT_EQ(got->timing.nanoseconds, 12);
  EXPECT_EQ(got->timing.processors, 34);
}

TEST(Reply, IsNoneWhenItIsCutAnywhere) {
  const auto bytes = bytes_of(full_reply());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    WireReader reader({bytes.data(), size});
    EXPECT_FALSE(read_reply(reader)) << size;
  }
}

TEST(Reply, IsNoneInMemoryThatHoldsOneByteThroughout) {
  for (const int value : {0x00, 0x01, 0x5a, 0xa5, 0xff}) {
    const std::vector<std::byte> memory(4096, static_cast<std::byte>(value));
    WireReader reader(memory);
    EXPECT_FALSE(read_reply(reader)) << value;
  }
}

TEST(Reply, WithAnEndThatIsNoneOfOursIsNone) {
  auto bytes = bytes_of(full_reply());
  bytes[sizeof(std::uint64_t)] = std::byte{200};  // after the mark
  WireReader reader(bytes);
  EXPECT_FALSE(read_reply(reader));
}

// Tests that reading any bytes ends, and takes no more memory than they do.
TEST(HostileBytes, AreReadToSomeEnd) {
  std::mt19937 random(1);
  std::vector<std::vector<std::byte>> seeds{
      bytes_of(request_for("onnx-tile-13 string[3] x i64{2}")),
      bytes_of(request_for("onnx-tile-13 u4[3,3] x i64{2,1} @threads=2")), bytes_of(full_reply())};
  for (int round = 0; round < 20'000; ++round) {
    std::vector<std::byte> bytes = seeds[static_cast<std::size_t>(round) % seeds.size()];
    for (auto changes = random() % 4; changes-- > 0;)
      bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    for (const std::uint32_t word : {0xffffffffU, 0x7fffffffU, 0U})
      if (random() % 4 == 0)
        std::memcpy(bytes.data() + random() % (bytes.size() - sizeof word), &word, sizeof word);
    WireReader as_request(bytes);
    const auto request = read_request(as_request);
    const bool is_again = request && request->plain && request->plain->again;
    EXPECT_FALSE(request && request->data.empty() != is_again);
    WireReader as_reply(bytes);
    const auto reply = read_reply(as_reply);
    EXPECT_LE(reply ? reply->runs[0].outputs.size() : 0, bytes.size());
  }
}

TEST(ShapeDigest, TellsShapesApartThatHoldAsMuch) {
  std::vector<std::uint64_t> digests;
  for (const Shape& shape : {Shape{}, Shape{0}, Shape{1}, Shape{1, 1}, Shape{2, 3}, Shape{3, 2}, Shape{6},
                             Shape{6, 1}, Shape{1, 6}, Shape{-6}, Shape{0, 0}})
    digests.push_back(shape_digest(shape));
  std::sort(digests.begin(), digests.end());
  EXPECT_EQ(std::adjacent_find(digests.begin(), digests.end()), digests.end());
}

}  // namespace
}  // namespace certile::conformance
