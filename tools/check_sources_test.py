#!/usr/bin/env python3
"""Breaks each rule of check_sources.py once, on a small separate tree."""
import hashlib
import unittest

import check_sources
from check_structure_test import RulesTest

STORED = '''# Tile#

## Tile - 13#

• repeats: the input’s *“counts”*, one for
each *dimension*

## Tile - 1#

Repeat along an axis.
'''
PAGE = '''# onnx-tile-13

text: Tile - 13, https://a.page/tile.html,
  version 13, Apache-2.0, sha256 DIGEST, sources/tile.md

## ONNX-T13-I2 repeats-input
kind: normative
testable: yes
source: Tile - 13, Inputs: "… the input's "counts" … for each
dimension"

A "quotation" of nothing.

## ONNX-T13-X1 refusal
kind: ours
testable: yes
source: not written; follows onnx 1.23, onnx/defs/tensor/defs.cc

## ONNX-T13-X2 overflow
kind: exclusion
testable: yes
source: not written; no implementation is followed
'''
CONTRACT = "# The contract\n\n## CT-BITS bits\nkind: contract\ntestable: yes\nsource: not written\n"


class CheckSources(RulesTest):
    rules, good, broken = check_sources.RULES, {}, set()

    def setUp(self):
        super().setUp()
        self.page = PAGE.replace("DIGEST", hashlib.sha256(STORED.encode()).hexdigest())
        self.write("sources/tile.md", STORED)
        self.write("sources/README.md", "What these are.\n")
        self.write("onnx-tile-13.md", self.page)
        self.write("contract.md", CONTRACT)
        self.write("README.md", "text: of no page\n")

    def write(self, path, text):
        super().write(f"reference/spec/{path}", text)

    def change(self, old, new):
        self.assertIn(old, self.page)
        self.write("onnx-tile-13.md", self.page.replace(old, new))

    def test_a_good_tree_has_no_finding(self):
        self.expect_nothing()

    def test_a_quotation_may_hold_others(self):
        found = check_sources.quotations('A: ""data" - it is "so""; B: "shape of "data"" (C: "d")')
        self.assertEqual(list(found), [("A: ", '"data" - it is "so"'), ("A: ; B: ", 'shape of "data"'), ("A: ; B:  (C: ", "d")])

    def test_a_page_without_a_text(self):
        self.write("openvino-tile-1.md", "# A page\n\n## OV-T1-G1 name\nkind: informative\nsource: not written\n")
        self.expect("openvino-tile-1.md: names no text")

    def test_a_text_that_lacks_its_licence(self):
        self.write("contract.md", "text: A page, https://a.page/,\n  version 1, sha256 0, sources/a.md\n" + CONTRACT)
        self.expect("contract.md:1: a text is")

    def test_a_text_that_is_not_stored(self):
        self.write("contract.md", f"text: A page, https://a.page/,\n  1, MIT, sha256 {'0' * 64}, sources/a.md\n" + CONTRACT)
        self.expect("contract.md: the text A page is not stored in reference/spec/sources/a.md")

    def test_a_stored_text_that_was_changed(self):
        self.write("sources/tile.md", STORED + "\n")
        self.expect("the text Tile - 13 has the SHA-256", "the page says")

    def test_a_stored_text_that_no_page_names(self):
        self.write("sources/other.md", STORED)
        self.expect("sources/other.md: is named by no page")

    def test_a_quotation_that_is_not_in_the_text(self):
        self.change('for each\ndimension"', 'for every\ndimension"')
        self.expect("onnx-tile-13.md:6: ONNX-T13-I2 quotes \"for every dimension\", which is not in Tile - 13")

    def test_a_quotation_of_a_part_of_a_word(self):
        self.change('for each\ndimension"', 'for each\ndim"')
        self.expect('quotes "for each dim"')

    def test_a_quotation_in_another_order(self):
        self.change("the input's \"counts\" … for each\ndimension\"", "for each\ndimension … the input's \"counts\"\"")
        self.expect('quotes "the input\'s "counts""', "not in this order")

    def test_a_quotation_of_another_section(self):
        self.change('dimension"', 'dimension", "Repeat along an axis."')
        self.expect('quotes "Repeat along an axis."', "not in Tile - 13")

    def test_a_quotation_of_a_text_that_the_page_does_not_name(self):
        self.change("source: Tile - 13,", "source: Tile - 1,")
        self.expect("names no text of its page before it")

    def test_a_quotation_that_does_not_end(self):
        self.change('dimension"', "dimension")
        self.expect("has a quotation that does not end")

    def test_a_quotation_without_words(self):
        self.change('dimension"', 'dimension", "…"')
        self.expect("has a quotation without words")

    def test_a_normative_clause_that_quotes_nothing(self):
        self.change("kind: exclusion", "kind: normative")
        self.expect("ONNX-T13-X2 is of the kind normative and quotes nothing")

    def test_a_clause_of_ours_that_follows_nothing(self):
        self.change("onnx/defs/tensor/defs.cc", "its schema")
        self.expect("ONNX-T13-X1 names no file of an implementation")

    def test_an_exclusion_that_follows_nothing(self):
        self.change("no implementation is followed", "as everybody has it")
        self.expect("ONNX-T13-X2 names no file of an implementation")

    def test_every_rule_is_broken_by_one_of_these(self):
        self.breaks_every_rule()


if __name__ == "__main__":
    unittest.main()
