import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { scanProject } from "./scan-project.ts";

const STARTS = [
  { file: ".cli/settings.json", keys: ["hooks", "tools.discoveryCommand", "helper"] },
  { file: ".cli/run.toml", keys: ["servers"] },
  { file: ".cli/always.sh" },
  { folder: ".cli/agents", ending: ".md" },
];
let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "scan-project-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string | object): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), typeof content === "string" ? content : JSON.stringify(content));
}

it("lists settings, files and folders from the directory up to the root of the repository, and no further", () => {
  write("repository/.git/HEAD", "ref: refs/heads/main");
  write(".cli/always.sh", "above the repository");
  write(
    "repository/.cli/settings.json",
    '{ "hooks": { "Stop": [], "Start": [] }, // why\n "tools": { "discoveryCommand": "x" }, "helper": "", }',
  );
  write("repository/.cli/run.toml", '[servers.one]\ncommand = "x"');
  write("repository/inner/.cli/always.sh", "x");
  write("repository/inner/.cli/agents/one.md", "x");
  write("repository/inner/.cli/agents/note.txt", "x");
  expect(scanProject(STARTS, { cwd: join(root, "repository/inner") })).toEqual([
    ".cli/always.sh",
    ".cli/agents: one.md",
    "../.cli/settings.json: hooks (Stop, Start), tools.discoveryCommand",
    "../.cli/run.toml: servers (one)",
  ]);
});

it("lists nothing for settings that name no program, and what lies in additional directories", () => {
  write("project/.cli/settings.json", { hooks: {}, theme: "dark", helper: false });
  write("other/.cli/always.sh", "x");
  expect(scanProject(STARTS, { cwd: join(root, "project") })).toEqual([]);
  expect(scanProject(STARTS, { cwd: join(root, "project"), addDirs: ["../other"] })).toEqual(["../other/.cli/always.sh"]);
});

it("lists a file that cannot be parsed or is too large, and does not wait for a pipe", () => {
  write(".cli/settings.json", "{ hooks: broken");
  write(".cli/run.toml", `x = "${"y".repeat(2 ** 20)}"`);
  execFileSync("/bin/sh", ["-c", 'mkfifo "$0"', join(root, ".cli/always.sh")]);
  expect(scanProject(STARTS, { cwd: root })).toEqual([".cli/settings.json", ".cli/run.toml"]);
});

it("shows control characters of names as numbers, and cuts long names and lists", () => {
  const names = ["\u001b[2Jx", "n".repeat(200), ..."abcdefghij"];
  write(".cli/settings.json", { hooks: Object.fromEntries(names.map((name) => [name, []])) });
  expect(scanProject(STARTS, { cwd: root })).toEqual([
    `.cli/settings.json: hooks (\\u001b[2Jx, ${"n".repeat(60)}…, a, b, c, d, e, f and 4 more)`,
  ]);
});
