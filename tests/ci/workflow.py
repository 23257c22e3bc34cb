"""A small runner of GitHub workflows: it executes the steps of a file as written, on this machine.

It supports the parts that ci/action.yml and the examples use, and refuses everything else: jobs of one runner, steps
with `run` and bash, `uses` of this action, of actions/checkout and of actions/cache, and expressions of names, strings,
==, && and ||. A cache is a folder by its key, which lasts as long as the Runner.
"""

import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
KEYS = {
    "workflow": {"name", "on", "jobs"},
    "job": {"runs-on", "steps"},
    "step": {"id", "if", "uses", "with", "shell", "env", "run"},
    "action": {"name", "description", "inputs", "outputs", "runs"},
    "input": {"description", "default"},
    "cache": {"path", "key", "restore-keys"},
}


@dataclass(frozen=True)
class Annotation:
    level: str
    where: dict  #: file, line, title
    message: str


@dataclass
class Result:
    code: int = 0  #: of the step that failed
    log: str = ""
    summary: str = ""
    annotations: list = field(default_factory=list)


def known(what, mapping):
    mapping = {"on" if key is True else key: value for key, value in mapping.items()}  # `on` in YAML 1.1
    other = set(mapping) - KEYS[what]
    assert not other, f"a {what} has {', '.join(map(str, other))}, which this runner does not know"
    return mapping


def unescaped(text):
    return re.sub("%([0-9A-F]{2})", lambda code: chr(int(code[1], 16)), text)


def annotations_of(log):
    for level, where, message in re.findall(r"^::(error|warning|notice) ?(.*?)::(.*)$", log, re.MULTILINE):
        pairs = (each.partition("=") for each in where.split(",") if each)
        yield Annotation(level, {key: unescaped(value) for key, _, value in pairs}, unescaped(message))


class Runner:
    """A machine with caches. `environment`: the environment of all steps."""

    def __init__(self, folder, environment):
        self.folder, self.environment, self.caches, self.runs = Path(folder), environment, {}, 0

    def workflow(self, project, event):
        """Runs the workflow of a project, whose folder is copied, on an event such as push."""
        self.runs += 1
        here = self.folder / str(self.runs)
        temp, workspace = here / "temp", here / "workspace"
        temp.mkdir(parents=True)
        shutil.copytree(project, workspace)
        file = known("workflow", yaml.safe_load((workspace / ".github/workflows/accuracy.yml").read_text()))
        assert event in file["on"]
        (job,) = file["jobs"].values()
        result, summary = Result(), temp / "summary.md"
        names = {
            "github.event_name": event,
            "github.run_id": str(self.runs),
            "github.run_attempt": "1",
            "runner.temp": str(temp),
        }
        environment = {
            **self.environment,
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": event,
            "GITHUB_SHA": f"{self.runs:040x}",
            "GITHUB_STEP_SUMMARY": str(summary),
            "RUNNER_TEMP": str(temp),
        }
        later = []
        self._steps(known("job", job)["steps"], names, environment, workspace, result, later)
        if result.code == 0:
            for action in later:
                action()
        result.annotations = list(annotations_of(result.log))
        result.summary = summary.read_text() if summary.exists() else ""
        return result, workspace

    def _steps(self, steps, names, environment, workspace, result, later):
        names = dict(names)
        for step in map(lambda each: known("step", each), steps):
            if result.code or ("if" in step and self._value(step["if"], names) != "true"):
                continue
            given = {key: self._text(value, names) for key, value in step.get("with", {}).items()}
            if "run" in step:
                assert step["shell"] == "bash", "a composite action names its shell"
                own = {key: self._text(value, names) for key, value in step.get("env", {}).items()}
                outputs = Path(environment["RUNNER_TEMP"], f"outputs-{step.get('id', 'none')}")
                outputs.touch()
                command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", self._text(step["run"], names)]
                own["GITHUB_OUTPUT"] = str(outputs)
                ended = subprocess.run(command, cwd=workspace, env={**environment, **own}, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                result.code, result.log = ended.returncode, result.log + ended.stdout
                for line in outputs.read_text().splitlines():
                    key, _, value = line.partition("=")
                    names[f"steps.{step['id']}.outputs.{key}"] = value
            elif step["uses"].startswith("actions/cache"):
                self._cache(step["uses"].partition("@")[0], known("cache", given), workspace, later)
            elif step["uses"].startswith("OWNER/assay/ci@"):
                self._action(given, names, environment, workspace, result, later)
            else:
                assert step["uses"].startswith("actions/checkout@"), step["uses"]

    def _action(self, given, names, environment, workspace, result, later):
        action = known("action", yaml.safe_load((ROOT / "ci/action.yml").read_text()))
        inputs = {name: known("input", each).get("default", "") for name, each in action["inputs"].items()}
        assert set(given) <= set(inputs), f"the action has no input {', '.join(set(given) - set(inputs))}"
        assert action["runs"]["using"] == "composite"
        names = {**names, **{f"inputs.{name}": str(value) for name, value in {**inputs, **given}.items()}}
        environment = {**environment, "GITHUB_ACTION_PATH": str(ROOT / "ci")}
        self._steps(action["runs"]["steps"], names, environment, workspace, result, later)

    def _cache(self, action, given, workspace, later):
        path, key = workspace / given["path"], given["key"]

        def save():
            if key not in self.caches and path.exists():
                self.caches[key] = self.folder / f"cache-{len(self.caches)}"
                shutil.copytree(path, self.caches[key], symlinks=True)

        if action == "actions/cache/save":
            save()
            return
        prefixes = given.get("restore-keys", "").split()
        found = [each for each in self.caches if each == key]
        found += [each for each in reversed(self.caches) if any(map(each.startswith, prefixes))]
        if found:
            shutil.copytree(self.caches[found[0]], path, symlinks=True)
        if action == "actions/cache":
            later.append(save)

    def _text(self, text, names):
        return re.sub(r"\$\{\{(.*?)\}\}", lambda inside: self._value(inside[1], names), str(text))

    def _value(self, expression, names):
        """The value of an expression as a text, "" for false and for undefined names."""
        for choice in expression.split("||"):
            value = "true"
            for term in choice.split("&&"):
                sides = [self._atom(each.strip(), names) for each in term.split("==")]
                value = sides[0] if len(sides) == 1 else "true" if sides[0] == sides[1] else ""
                if not value:
                    break
            if value:
                return value
        return ""

    def _atom(self, word, names):
        if re.fullmatch("'[^']*'", word):
            return word[1:-1]
        assert re.fullmatch(r"(github|inputs|runner|steps)\.[\w.-]+", word), f"an expression has '{word}'"
        assert word in names or word.startswith("steps."), f"there is no {word}"
        return names.get(word, "")
