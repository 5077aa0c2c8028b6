#!/usr/bin/env python3
"""Tests the choice of mutants, and the explanation of survivors."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from equivalents import Equivalents  # noqa: E402, it lies here
from mutate import spread  # noqa: E402
from mutations import Mutation, mutations_of  # noqa: E402


def changed(text):
    return [(each.before, each.after) for each in mutations_of(text)]


class Mutations(unittest.TestCase):
    def test_a_comparison_moves_its_bound_and_a_condition_is_negated(self):
        self.assertEqual(changed("if (a < b) stop(c);\n"),
                         [("if (a < b) stop(c);", ""), ("if (a < b) stop(c);", "if (!(a < b)) stop(c);"),
                          ("if (a < b) stop(c);", "if (a <= b) stop(c);")])

    def test_a_number_is_one_more_and_one_less_but_for_what_is_below_zero(self):
        self.assertEqual([after for _, after in changed("x = y[0] + 7;\n")],
                         ["", "x = y[1] + 7;", "x = y[0] - 7;", "x = y[0] + 6;", "x = y[0] + 8;"])

    def test_a_statement_is_left_out(self):
        self.assertEqual(changed("  mark(here);\n"), [("mark(here);", "")])

    def test_comments_texts_and_directives_stay_as_they_are(self):
        self.assertEqual(changed('#include <a> // 1 < 2\n/* 3 + 4 */\nconst char* words = "5 == 6";\n'), [])

    def test_templates_pointers_and_types_are_no_operators(self):
        self.assertEqual(changed("std::vector<int> f(char* p, T&& q);\n"), [])

    def test_a_mutation_is_the_whole_file_with_one_change(self):
        mutation = mutations_of("int a;\nx = y + z;\n")[-1]
        self.assertEqual((mutation.line, mutation.text), (2, "int a;\nx = y - z;\n"))

    def test_a_share_is_spread_over_the_file(self):
        self.assertEqual(spread(list(range(10)), 3), [0, 3, 6])
        self.assertEqual(spread([1, 2], 5), [1, 2])


class Explanations(unittest.TestCase):
    def read(self, text):
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch, "equivalents.txt")
            path.write_text(text, encoding="utf-8")
            return Equivalents(path)

    def test_an_entry_explains_its_line_in_its_file_alone(self):
        entries = self.read("a.c\n- x = 1;\n+ x = 2;\n= nobody reads it\n")
        survivor = Mutation(1, "x = 1;", "x = 2;", "")
        self.assertEqual(entries.reason("a.c", survivor), "nobody reads it")
        self.assertIsNone(entries.reason("b.c", survivor))
        self.assertIsNone(entries.reason("a.c", Mutation(1, "x = 1;", "", "")))

    def test_an_entry_that_met_no_survivor_is_named(self):
        entries = self.read("a.c\n- x = 1;\n+\n= nobody reads it\n")
        self.assertEqual(entries.unused("a.c"), ["x = 1; -> (nothing)"])
        self.assertEqual(entries.unused("b.c"), [])
        entries.reason("a.c", Mutation(1, "x = 1;", "", ""))
        self.assertEqual(entries.unused("a.c"), [])

    def test_a_reason_without_its_lines_is_refused(self):
        with self.assertRaisesRegex(ValueError, "equivalents.txt:2: a reason needs a file"):
            self.read("a.c\n= because\n")


if __name__ == "__main__":
    unittest.main()
