#!/usr/bin/env python3
"""Breaks each rule of check_prose.py once, on a small separate tree."""
import unittest

import check_prose
from check_structure_test import RulesTest

HEADER = """#pragma once
// A case of one definition.
struct Case {
  // Returns the number of elements.
  std::int64_t count() const noexcept;
  bool empty = true;  // the fill makes the elements
};

// The kinds of fills.
enum class Fill { index, bits };

// Laws about axes, in axes.cpp.

void axis_order(const Case& question);

// [OV-T1-R1] Reads a case.
// It may be empty.
template <class Text>
[[nodiscard]] std::optional<Case> read_case(const Text& text) {
  // The end is checked by the caller.
  check(text);
}

// A function that measures a case.
using Measure = std::int64_t (*)(const Case& question);
"""
GOOD = {
    "backends/plugin/case.hpp": HEADER,
    "property_tests/case.cpp": "// Reads it.\nvoid read() {\n  // Empty at first.\n  std::string text(size);\n}\n",
    "backends/plugin/case.cpp": 'const char* message = "no such \\"case\\"";  // a separate buffer\nconst char* raw = R"(a//b)";\n',
    "backends/plugin/case_test.cpp": 'EXPECT_EQ(message, "nobody");\n',
    "backends/plugin/plugin.h": "/* Opens the plugin. */\nint32_t open_plugin(int32_t major);\n",
    "docs/ci.md": "Run it.\n\n```text output\nnobody is told\n```\n\n    so many\n\n"
                  "The option `--anew`, and “of its own”.\nsource: \"nobody\",\n\"so many\"\n\n",
    "docs/mutants.md": "A kernel of its own.\n",
    "cmake/Parts.cmake": '# The parts.\nset(words "# of each")\n',
    "tools/read.py": '"""Reads cases."""\nword = "# a text"  # a comment\n',
    "dev": "#!/bin/bash\nlength=${#words}\n",
}


class CheckProse(RulesTest):
    rules, good, broken = check_prose.RULES, GOOD, set()

    def test_a_good_tree_has_no_finding(self):
        self.expect_nothing()

    def test_a_word_in_a_comment_of_cpp(self):
        self.append("backends/plugin/case.cpp", "int rank;  // as the caller is told\n")
        self.expect("backends/plugin/case.cpp:3: 'is told'; plainer: receives")

    def test_a_word_in_a_comment_of_c(self):
        self.append("backends/plugin/plugin.h", "/* The rank\n   that is due. */\nextern int rank;\n")
        self.expect("backends/plugin/plugin.h:4: 'is due'")

    def test_a_word_across_the_end_of_a_line(self):
        self.append("backends/plugin/case.cpp", "// The buffer is of its\n// own size.\n")
        self.expect("backends/plugin/case.cpp:3: 'of its own'")

    def test_a_word_behind_a_string_that_looks_like_a_comment(self):
        self.append("backends/plugin/case.cpp", 'f("//", \'"\', "/*");  // nobody\n')
        self.expect("backends/plugin/case.cpp:3: 'nobody'")

    def test_a_word_behind_a_digit_separator(self):
        self.append("backends/plugin/case.cpp", "int limit = 10'000;  // the caller's, of its own choice\n")
        self.expect("backends/plugin/case.cpp:3: 'of its own'")

    def test_a_word_in_a_docstring(self):
        self.append("tools/read.py", 'def read():\n    """Reads what\n    came."""\n')
        self.expect("tools/read.py:4: 'what came'")

    def test_a_word_in_a_comment_of_python(self):
        self.append("tools/read.py", "# dear\n")
        self.expect("tools/read.py:3: 'dear'")

    def test_a_word_in_a_comment_of_cmake(self):
        self.append("cmake/Parts.cmake", 'message("#") # whoever reads\n')
        self.expect("cmake/Parts.cmake:3: 'whoever'")

    def test_a_word_in_a_document(self):
        self.append("docs/ci.md", "Then start anew.\n")
        self.expect("docs/ci.md:13: 'anew'; plainer: again")

    def test_a_line_that_is_too_long(self):
        self.append("docs/ci.md", "too long " * 11 + "\n| too long " * 11 + "\n")
        self.expect("docs/ci.md:13: 99 characters, at most 90")

    def test_a_sentence_that_begins_with_who(self):
        self.append("docs/ci.md", "\nIt is signed. Who relies on it runs it again.\n")
        self.expect("docs/ci.md:14", "Who relies'; plainer: anyone who")

    def test_a_word_in_a_message_of_cpp(self):
        self.append("backends/plugin/case.cpp", 'const char* other = "a line "\n    "beside it";\n')
        self.expect("backends/plugin/case.cpp:4: 'beside'; plainer: next to")

    def test_a_word_in_a_message_of_python(self):
        self.append("tools/read.py", 'print("nobody reads it")\n')
        self.expect("tools/read.py:3: 'nobody'")

    def test_a_word_in_a_message_of_a_script(self):
        self.append("dev", "say 'the fork gave up'\n")
        self.expect("dev:3: 'gave up'")

    def test_a_reason_that_begins_with_since(self):
        self.append("backends/plugin/case.cpp", "// It is sorted,\n// since readers search it; legal, since version 13.\n")
        self.expect("backends/plugin/case.cpp:4: 'since'; plainer: because")

    def test_a_function_of_a_cpp_file_whose_comment_begins_without_a_verb(self):
        self.append("property_tests/case.cpp", "\n// Whether it is empty.\nbool is_empty() {\n  return true;\n}\n")
        self.expect("property_tests/case.cpp:7: 'Whether' begins the comment of a function")

    def test_a_function_whose_comment_begins_without_a_verb(self):
        self.append("backends/plugin/case.hpp", "\n// True where it is empty.\nbool is_empty();\n")
        self.expect("backends/plugin/case.hpp:27: 'True' begins the comment of a function")

    def test_a_noun_in_s_is_no_verb(self):
        self.append("backends/plugin/case.hpp", "\n// Bytes of it.\nstd::span<const std::byte> bytes() const noexcept;\n")
        self.expect("'Bytes' begins the comment of a function")

    def test_an_operator_and_a_constructor_are_functions(self):
        for code in ("bool operator==(const Case&) const = default;", "explicit Case(int rank);", "Case(int rank) : rank_(rank) {}"):
            self.write("backends/plugin/case.hpp", HEADER + "\n// Equal.\n" + code + "\n")
            self.expect("'Equal.' begins the comment of a function")

    def test_a_variable_is_no_function(self):
        self.append("backends/plugin/case.hpp", "\n// Called for each.\nstd::function<void(int)> each = [](int) {};\n")
        self.expect_nothing()

    def test_a_type_whose_comment_begins_without_an_article(self):
        self.append("backends/plugin/case.hpp", "\n// What is asked.\ntemplate <class T>\nstruct Asked : Base<T> {\n};\n")
        self.expect("backends/plugin/case.hpp:27: 'What' begins the comment of a type")

    def test_every_rule_is_broken_by_one_of_these(self):
        self.breaks_every_rule()


if __name__ == "__main__":
    unittest.main()
