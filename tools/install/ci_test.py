#!/usr/bin/env python3
"""ci_test.py ROOT PACKAGE RIGHT WRONG: runs the recipes of docs/ci.md as their systems do.

PACKAGE is what pip installs; RIGHT and WRONG are shared libraries, which the recipes get from `make`.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from run_document import blocks  # noqa: E402

ROOT, PACKAGE, RIGHT, WRONG = (Path(word).resolve() for word in sys.argv[1:5]) if len(sys.argv) == 5 else (Path(),) * 4
RECIPES = [block for block in blocks((ROOT / "docs/ci.md").read_text(encoding="utf-8")) if "recipe" in block.words] if ROOT.name else []
LITERAL = r"onnx-tile-13 [a-z0-9]+\["


def recipe(language, about):
    """Returns the text of the only recipe in the language that speaks about something."""
    found, = (block.text for block in RECIPES if block.language == language and about in block.text)
    return found


def with_inputs(job, declared, given):
    """Returns what YAML gave, with its inputs in the place of their names, as both systems fill in what they have parsed: as text.
    Raises KeyError for an input that is not declared or not given."""
    values = {name: (given | {"package": str(PACKAGE)}).get(name, (about or {}).get("default")) for name, about in declared.items()}
    missing = [name for name, value in values.items() if value is None] + [name for name in given if name not in declared]
    if missing:
        raise KeyError(", ".join(missing))

    def filled(part):
        if isinstance(part, dict):
            return {name: filled(value) for name, value in part.items()}
        if isinstance(part, list):
            return [filled(value) for value in part]
        if isinstance(part, str):
            return re.sub(r"\$(?:\{\{|\[\[) inputs\.(\w+) (?:\}\}|\]\])", lambda found: values[found[1]], part)
        return part
    return filled(job)


class Job(unittest.TestCase):
    def setUp(self):
        self.place = Path(tempfile.mkdtemp(prefix="certile ci "))
        self.addCleanup(shutil.rmtree, self.place)
        (self.place / "certile").symlink_to(ROOT)
        self.environment = {"PATH": os.environ["PATH"], "CERTILE_PACKAGE": str(PACKAGE), "LIBRARY": str(RIGHT)} | {
            name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}
        (self.place / "Makefile").write_text("libmine.so: ; cp '$(LIBRARY)' $@\n", encoding="utf-8")

    def run_all(self, commands, shell, code):
        """Runs commands in turn, as steps of a job; the job ends with the first that fails, with the code. Returns the output."""
        printed = ""
        for command in commands:
            done = subprocess.run([*shell, command], cwd=self.place, env=self.environment, text=True, check=False,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            printed += done.stdout
            if done.returncode != 0:
                break
        self.assertEqual(done.returncode, code, printed)
        return printed

    def report(self, name):
        return (self.place / "certile-report" / name).read_text(encoding="utf-8")

    def wrong(self):
        """From here on, the build makes the wrong library."""
        self.environment["LIBRARY"] = str(WRONG)
        shutil.rmtree(self.place / "certile-report")
        (self.place / "libmine.so").unlink()

    def test_no_recipe_is_longer_than_ten_lines(self):
        self.assertEqual(len(RECIPES), 4)
        for block in RECIPES:
            self.assertLessEqual(len(block.text.splitlines()), 10, block.text)

    def test_a_plain_shell_ends_with_the_verdict_and_leaves_its_files(self):
        self.run_all([recipe("sh", "certify.sh")], ["sh", "-ec"], 0)
        self.assertEqual(json.loads(self.report("badge.json"))["message"], "conformant (smoke)")
        self.assertIn("<testsuites", self.report("junit.xml"))
        self.wrong()
        printed = self.run_all([recipe("sh", "certify.sh")], ["sh", "-ec"], 1)
        self.assertRegex(printed, LITERAL)
        self.assertEqual(json.loads(self.report("badge.json"))["color"], "red")

    def test_jenkins_runs_its_steps_and_finds_its_files(self):
        text = recipe("groovy", "sh '")
        self.run_all(re.findall(r"sh '([^']*)'", text), ["sh", "-xec"], 0)
        for pattern in re.findall(r"(?:junit|archiveArtifacts) '([^']*)'", text):
            self.assertTrue(list(self.place.glob(pattern)), pattern)

    def gitlab(self, code):
        included, = yaml.safe_load(recipe("yaml", "include:"))["include"]
        component = (ROOT / included["file"]).read_text(encoding="utf-8")
        declared = yaml.safe_load(component.split("\n---\n")[0])["spec"]["inputs"]
        job = with_inputs(yaml.safe_load(component.split("\n---\n")[1]), declared, included["inputs"])["certify"]
        printed = self.run_all(job["script"], ["bash", "-eo", "pipefail", "-c"], code)
        for path in [*job["artifacts"]["paths"], job["artifacts"]["reports"]["junit"]]:
            self.assertTrue((self.place / path).exists(), path)
        return printed

    def test_gitlab_runs_the_component_with_the_recipes_inputs(self):
        self.gitlab(0)
        self.wrong()
        self.assertRegex(self.gitlab(1), LITERAL)

    def github(self, code, **inputs):
        """Runs the job, the steps of the action in the place of its `uses`. Returns the output, and the summary."""
        made = {name: self.place / name for name in ("GITHUB_PATH", "GITHUB_STEP_SUMMARY", "RUNNER_TEMP")}
        made["GITHUB_PATH"].unlink(missing_ok=True)
        shutil.rmtree(made["RUNNER_TEMP"], ignore_errors=True)
        made["RUNNER_TEMP"].mkdir()
        self.environment |= {name: str(path) for name, path in made.items()}
        _, build, call = yaml.safe_load(recipe("yaml", "jobs:"))["jobs"]["tile"]["steps"]
        call["with"] |= inputs
        folder = call["uses"].split("@")[0].removeprefix("GROUP/certile/")
        action = yaml.safe_load((ROOT / folder / "action.yml").read_text(encoding="utf-8"))
        action = with_inputs(action, action["inputs"], call["with"])
        printed, bash = "", ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]
        steps = [build, *(step for step in action["runs"]["steps"] if "run" in step)]
        for step in steps:
            self.environment |= step.get("env", {})
            printed += self.run_all([step["run"]], bash, code if step is steps[-1] else 0)
            if made["GITHUB_PATH"].exists():
                self.environment["PATH"] = made["GITHUB_PATH"].read_text(encoding="utf-8").strip() + ":" + os.environ["PATH"]
        kept = [step["with"] for step in action["runs"]["steps"] if "uses" in step]
        for path in (kept[0]["path"], kept[1]["subject-path"]):
            self.assertTrue((self.place / path).exists(), path)
        attested = call["with"].get("attest") == "true"
        self.assertEqual((self.place / kept[1]["predicate-path"]).exists(), attested and code == 0)
        if attested and code == 0:
            statement = json.loads(self.report("statement.json"))
            self.assertEqual(json.loads(self.report("predicate.json")), statement["predicate"])
            self.assertEqual(kept[1]["predicate-type"], statement["predicateType"])
        return printed, made["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")

    def test_github_runs_the_action_with_the_recipes_inputs(self):
        printed, summary = self.github(0)
        self.assertNotIn("::error", printed)
        self.assertIn("CONFORMANT (full", summary)
        self.wrong()
        printed, summary = self.github(1)
        annotations = re.findall("^::error .*", printed, re.MULTILINE)
        self.assertTrue(1 <= len(annotations) <= 10, printed)
        self.assertRegex(annotations[0], LITERAL)
        self.assertIn("NOT CONFORMANT", summary)

    def test_github_signs_the_certificate_of_a_right_library_alone(self):
        self.github(0, attest="true", options="--tier core")
        self.wrong()
        self.github(1, attest="true", options="--tier core")

    def test_an_input_that_is_not_declared_is_noticed(self):
        with self.assertRaises(KeyError):
            with_inputs("", {"backend": None}, {"backend": "./a.so", "backends": "./b.so"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
