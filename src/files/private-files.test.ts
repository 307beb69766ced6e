import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { privateDirectory, removeQuietly, temporaryDirectory, writeTempFiles } from "./private-files.ts";
import { setStraysAside } from "./strays.ts";

let folder = "";
let temporaryFolderBefore: string | undefined;
let maskBefore = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coxswain-private-files-"));
  temporaryFolderBefore = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  // Files must be private with any umask of the user.
  maskBefore = process.umask(0);
});

afterEach(() => {
  process.umask(maskBefore);
  if (temporaryFolderBefore === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = temporaryFolderBefore;
  rmSync(folder, { recursive: true, force: true });
});

it("the private directory is below the state directory of the given environment", () => {
  expect(privateDirectory({ XDG_STATE_HOME: join(folder, "state"), HOME: "/nowhere" })).toBe(
    join(folder, "state", "coxswain", "empty"),
  );
});

it("without a state directory it is below the home directory", () => {
  const expected = join(folder, ".local", "state", "coxswain", "empty");
  expect(privateDirectory({ HOME: folder })).toBe(expected);
  expect(privateDirectory({ HOME: folder, XDG_STATE_HOME: "" })).toBe(expected);
});

it("only the owner has access to the private directory and its created parents", () => {
  const path = privateDirectory({ XDG_STATE_HOME: join(folder, "state") });
  expect([path, dirname(path), dirname(dirname(path))].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
});

it("the private directory is the same at every call and stays empty", () => {
  const env = { XDG_STATE_HOME: join(folder, "state") };
  expect(privateDirectory(env)).toBe(privateDirectory(env));
  expect(readdirSync(privateDirectory(env))).toEqual([]);
});

it.each(["CLAUDE.md", ".hidden", "core.4711"])("%s in the private directory is moved beside it", (name) => {
  const env = { XDG_STATE_HOME: join(folder, "state") };
  const path = privateDirectory(env);
  writeFileSync(join(path, name), "Do as I say.");
  expect(privateDirectory(env)).toBe(path);
  expect(readdirSync(path)).toEqual([]);
  expect(readFileSync(join(path, "../found", name), "utf8")).toBe("Do as I say.");
  expect(modeOf(join(path, "../found"))).toBe(0o700);
});

it("only the last find is kept, whatever it is", () => {
  const env = { XDG_STATE_HOME: join(folder, "state") };
  const path = privateDirectory(env);
  writeFileSync(join(path, "core.1"), "");
  privateDirectory(env);
  mkdirSync(join(path, ".claude/skills"), { recursive: true });
  symlinkSync("/", join(path, "link"));
  privateDirectory(env);
  expect(readdirSync(join(path, "../found")).toSorted()).toEqual([".claude", "link"]);
  expect(readdirSync(join(path, "..")).toSorted()).toEqual(["empty", "found"]);
});

it("a stray that cannot be moved is named and stays", () => {
  const env = { XDG_STATE_HOME: join(folder, "state") };
  const path = privateDirectory(env);
  writeFileSync(join(path, "core.1"), "");
  expect(setStraysAside(path, join(path, "core.1", "found"))).toBe("core.1");
  expect(readdirSync(path)).toEqual(["core.1"]);
});

it("nothing is left of the files of a run that cannot all be written", () => {
  expect(() =>
    writeTempFiles([
      { name: "a", content: "a" },
      { name: "a/b", content: "b" },
    ]),
  ).toThrow();
  expect(readdirSync(folder)).toEqual([]);
});

it("a private directory that cannot be created is an error", () => {
  writeFileSync(join(folder, "file"), "");
  expect(() => privateDirectory({ XDG_STATE_HOME: join(folder, "file") })).toThrow();
});

it("each temporary directory is new, with access for its owner only", () => {
  const [first, second] = [temporaryDirectory(), temporaryDirectory()];
  expect(first).not.toBe(second);
  expect([first, second].map(modeOf)).toEqual([0o700, 0o700]);
  expect(dirname(first)).toBe(folder);
  expect(basename(first)).toMatch(/^coxswain-/);
});

it("the files of a run are written byte for byte into a new directory, with access for their owner only", () => {
  const content = "é👍\r\n\u2028 {secret}\0";
  const directory = writeTempFiles([
    { name: "mcp.json", content },
    { name: "empty.txt", content: "" },
  ]);
  expect(modeOf(directory)).toBe(0o700);
  expect(readdirSync(directory).toSorted()).toEqual(["empty.txt", "mcp.json"]);
  for (const name of ["mcp.json", "empty.txt"]) expect(modeOf(join(directory, name))).toBe(0o600);
  expect(readFileSync(join(directory, "mcp.json"), "utf8")).toBe(content);
});

it("a file of a run may be in folders, which only the owner can enter, but not outside its directory", () => {
  const directory = writeTempFiles([{ name: "plugin/hooks/hooks.json", content: "{}" }]);
  expect(["plugin", "plugin/hooks"].map((name) => modeOf(join(directory, name)))).toEqual([0o700, 0o700]);
  expect(readFileSync(join(directory, "plugin/hooks/hooks.json"), "utf8")).toBe("{}");
  expect(() => writeTempFiles([{ name: "../outside.txt", content: "" }])).toThrow("is not below");
});

it("two runs with files of the same name use different directories", () => {
  const [first, second] = ["one", "two"].map((content) => writeTempFiles([{ name: "same.txt", content }]));
  expect(first).not.toBe(second);
  expect(readFileSync(join(first ?? "", "same.txt"), "utf8")).toBe("one");
  expect(readFileSync(join(second ?? "", "same.txt"), "utf8")).toBe("two");
});

it("removal ignores files and directories that cannot be removed", () => {
  const directory = writeTempFiles([{ name: "a.txt", content: "a" }]);
  const other = temporaryDirectory();
  removeQuietly([directory, join(folder, "absent"), "a\0b", other]);
  expect(readdirSync(folder)).toEqual([]);
});

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}
