#pragma once
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "conformance/ask/asker.hpp"
#include "conformance/ask/observe.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/testing/plugins_test.hpp"

namespace certile::conformance {

// A backend in its process, with the answers that it returned.
class AskedBackend {
 public:
  explicit AskedBackend(const IsolateOptions& options) : options_(options) {
    auto started = open_asker(options);
    if (!started) {
      ADD_FAILURE() << started.error().what;
      return;
    }
    asker_ = *std::move(started);
    asker_->listen([this](RawAnswer answer) { answers_.push_back(std::move(answer)); });
  }
  explicit AskedBackend(const std::string& spelling) : AskedBackend(isolate_options(spelling)) {}

  Asker& asker() { return *asker_; }

  // Returns the answers to these cases, all of which are asked at once.
  std::vector<RawAnswer> ask(const std::vector<std::string>& literals) {
    answers_.clear();
    std::deque<Request> requests;
    for (const std::string& literal : literals) {
      requests.push_back(request_for(literal));
      const auto submitted = asker_->submit(requests.back());
      EXPECT_TRUE(submitted && *submitted) << literal;
    }
    const auto finished = asker_->finish();
    EXPECT_TRUE(finished) << finished.error().what;
    EXPECT_EQ(answers_.size(), literals.size());
    return std::move(answers_);
  }
  RawAnswer ask(const std::string& literal) { return ask(std::vector<std::string>{literal}).at(0); }

  // Returns true if that answer is the right one.
  static bool is_right(RawAnswer answer, const std::string& literal) {
    const Case question = *parse_case(literal);
    const auto expected = *expect(question);
    const Observation seen = observe(question, make_request(question, expected), answer, 1000);
    const auto* produced = std::get_if<Produced>(&seen.outcome);
    if (std::holds_alternative<Reject>(expected)) return std::holds_alternative<Refused>(seen.outcome);
    return produced != nullptr && produced->outputs == std::get<Answer>(expected).tensors && seen.rig.empty();
  }

  static Request request_for(const std::string& literal) {
    const Case question = *parse_case(literal);
    return make_request(question, *expect(question));
  }

 private:
  IsolateOptions options_;
  std::unique_ptr<Asker> asker_;
  std::vector<RawAnswer> answers_;
};

}  // namespace certile::conformance
