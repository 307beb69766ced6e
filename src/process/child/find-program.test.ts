import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findBinary, relativeFolders } from "./find-program.ts";

let folder = "";
const directoryBefore = process.cwd();

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "coxswain-find-binary-")));
});

afterEach(() => {
  process.chdir(directoryBefore);
  rmSync(folder, { recursive: true, force: true });
});

it("the first folder on PATH that has the program wins", () => {
  const [first, second] = [program("a/tool"), program("b/tool")];
  expect(find("tool", "a", "b")).toEqual({ command: first, prefixArgs: [] });
  expect(find("tool", "b", "a")).toEqual({ command: second, prefixArgs: [] });
  expect(find("tool", "absent", "", "b")).toEqual({ command: second, prefixArgs: [] });
});

it("a relative folder on PATH is skipped, so that no program of the working directory is started", () => {
  program("tool");
  program("bin/tool");
  const found = program("b/tool");
  process.chdir(folder);
  const env = { PATH: [".", "bin", "./bin", "", join(folder, "b")].join(":") };
  expect(findBinary({ names: ["tool"] }, env)).toEqual({ command: found, prefixArgs: [] });
  expect(findBinary({ names: ["tool"] }, { PATH: ".:bin" })).toEqual({ missing: "absent", looked: "tool" });
  expect(findBinary({ names: ["./bin/tool"] }, env)).toMatchObject({ command: join(folder, "bin/tool") });
  expect(relativeFolders(env)).toEqual([".", "bin", "./bin"]);
});

it("an earlier name wins over a later one, wherever they are on PATH", () => {
  program("a/second");
  const first = program("b/first");
  expect(findBinary({ names: ["first", "second"] }, { PATH: path("a", "b") })).toMatchObject({ command: first });
  expect(findBinary({ names: ["absent", "second"] }, { PATH: path("a", "b") })).toMatchObject({
    command: join(folder, "a/second"),
  });
});

it("a file that is not executable is skipped, and named if there is no other", () => {
  const refused = program("a/tool", 0o644);
  program("b/other", 0o644);
  expect(find("tool", "a", "b")).toEqual({ missing: "not-executable", looked: refused });
  const found = program("b/tool");
  expect(find("tool", "a", "b")).toMatchObject({ command: found });
});

it("a directory of that name is not the program", () => {
  mkdirSync(join(folder, "a", "tool"), { recursive: true });
  expect(find("tool", "a")).toEqual({ missing: "absent", looked: "tool" });
  expect(findBinary({ names: [join(folder, "a", "tool")] }, {})).toMatchObject({ missing: "absent" });
  const found = program("b/tool");
  expect(find("tool", "a", "b")).toMatchObject({ command: found });
});

it("a link to a program is found and keeps its own path", () => {
  const target = program("real/program");
  mkdirSync(join(folder, "a"));
  symlinkSync(target, join(folder, "a", "tool"));
  symlinkSync(join(folder, "nowhere"), join(folder, "a", "dangling"));
  expect(find("tool", "a")).toMatchObject({ command: join(folder, "a", "tool") });
  expect(find("dangling", "a")).toEqual({ missing: "absent", looked: "dangling" });
});

it("an absolute path is used without PATH", () => {
  const command = program("a/tool");
  program("b/tool");
  expect(findBinary({ names: [command] }, { PATH: path("b") })).toEqual({ command, prefixArgs: [] });
  expect(findBinary({ names: [command] }, {})).toEqual({ command, prefixArgs: [] });
  expect(findBinary({ names: [join(folder, "absent")] }, { PATH: path("a") })).toEqual({
    missing: "absent",
    looked: join(folder, "absent"),
  });
});

it("a relative path is resolved in the host's directory", () => {
  const command = program("a/tool");
  process.chdir(folder);
  expect(findBinary({ names: ["a/tool"] }, {})).toMatchObject({ command });
  expect(findBinary({ names: ["./a/../a/tool"] }, {})).toMatchObject({ command });
  expect(findBinary({ names: ["./tool"] }, { PATH: path("a") })).toMatchObject({ missing: "absent" });
});

it("without PATH, or with an empty one, nothing is found, not even in the host's directory", () => {
  program("tool");
  process.chdir(folder);
  for (const env of [{}, { PATH: "" }, { PATH: "::" }, { PATH: undefined }]) {
    expect(findBinary({ names: ["tool", "other"] }, env)).toEqual({ missing: "absent", looked: "tool, other" });
  }
});

it("the PATH of the given environment is used, not that of the host", () => {
  expect(findBinary({ names: ["node"] }, { PATH: folder })).toMatchObject({ missing: "absent" });
  expect(findBinary({ names: ["node"] }, { PATH: dirname(process.execPath) })).toMatchObject({ command: process.execPath });
});

it("a script is run with the current Node, and one that does not exist is absent", () => {
  const script = join(folder, "with blank.ts");
  expect(findBinary({ script: pathToFileURL(script) }, {})).toEqual({ missing: "absent", looked: script });
  writeFileSync(script, "");
  expect(findBinary({ script: pathToFileURL(script) }, {})).toEqual({
    command: process.execPath,
    prefixArgs: ["--disable-warning=ExperimentalWarning", script],
  });
});

it("the native program behind a launcher is used if it is executable", () => {
  const launcher = program("lib/package/bin/tool.js");
  mkdirSync(join(folder, "bin"));
  symlinkSync(launcher, join(folder, "bin", "tool"));
  const native = { [`${process.platform}-${process.arch}`]: ["../first/tool", "../second/tool"] };
  const binary = { names: ["tool"], native };
  expect(findBinary(binary, { PATH: path("bin") })).toMatchObject({ command: join(folder, "bin", "tool") });
  program("lib/package/first/tool", 0o644);
  const second = program("lib/package/second/tool");
  expect(findBinary(binary, { PATH: path("bin") })).toEqual({ command: second, prefixArgs: [] });
  expect(findBinary({ names: ["tool"], native: { "plan9-mips": ["../second/tool"] } }, { PATH: path("bin") })).toMatchObject({
    command: join(folder, "bin", "tool"),
  });
});

function program(name: string, mode = 0o755): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, mode);
  return file;
}

function path(...folders: readonly string[]): string {
  return folders.map((name) => (name === "" ? "" : join(folder, name))).join(":");
}

function find(name: string, ...folders: readonly string[]): ReturnType<typeof findBinary> {
  return findBinary({ names: [name] }, { PATH: path(...folders) });
}
