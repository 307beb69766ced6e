import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeTempFiles } from "./host-directory.ts";
import { privateDirectory, setStraysAside } from "./state-directory.ts";

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

it("a private directory that cannot be created is an error", () => {
  writeFileSync(join(folder, "file"), "");
  expect(() => privateDirectory({ XDG_STATE_HOME: join(folder, "file") })).toThrow();
});

it("the files of a run are written byte for byte, with access for their owner only", () => {
  const content = "é👍\r\n\u2028 {secret}\0";
  writeTempFiles(folder, [
    { name: "mcp.json", content },
    { name: "empty.txt", content: "" },
  ]);
  expect(readdirSync(folder).toSorted()).toEqual(["empty.txt", "mcp.json"]);
  for (const name of ["mcp.json", "empty.txt"]) expect(modeOf(join(folder, name))).toBe(0o600);
  expect(readFileSync(join(folder, "mcp.json"), "utf8")).toBe(content);
});

it("a file of a run may be in folders, which only the owner can enter, but not outside its directory", () => {
  writeTempFiles(folder, [{ name: "plugin/hooks/hooks.json", content: "{}" }]);
  expect(["plugin", "plugin/hooks"].map((name) => modeOf(join(folder, name)))).toEqual([0o700, 0o700]);
  expect(readFileSync(join(folder, "plugin/hooks/hooks.json"), "utf8")).toBe("{}");
  expect(() => writeTempFiles(folder, [{ name: "../outside.txt", content: "" }])).toThrow("is not below");
});

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}
