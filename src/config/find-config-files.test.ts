import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { findConfigFiles } from "./read-config-file.ts";

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "coxswain-find-config-"));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

it("the user's file is in the configuration directory, the project's in the directory", () => {
  const user = put("home/.config/coxswain/config.json");
  const project = put("project/coxswain.config.json");
  expect(find("project")).toEqual([
    { path: user, scope: "user" },
    { path: project, scope: "project" },
  ]);
});

it("XDG_CONFIG_HOME moves the user's file", () => {
  put("home/.config/coxswain/config.json");
  const moved = put("elsewhere/coxswain/config.json");
  expect(find("home", { XDG_CONFIG_HOME: join(root, "elsewhere") })).toEqual([{ path: moved, scope: "user" }]);
});

it.each(["", "."])("with the home %j no file of the working directory counts as the user's own", (HOME) => {
  put("project/.config/coxswain/config.json");
  put("project/coxswain/config.json");
  const before = process.cwd();
  vi.stubEnv("HOME", HOME);
  onTestFinished(() => {
    process.chdir(before);
    vi.unstubAllEnvs();
  });
  process.chdir(join(root, "project"));
  for (const XDG_CONFIG_HOME of ["", "."]) expect(findConfigFiles(".", { HOME, XDG_CONFIG_HOME })).toEqual([]);
});

it("in a repository the nearest file up to its root is used, and none above it", () => {
  put("coxswain.config.json");
  put("repository/.git/HEAD");
  put("repository/packages/one/src/index.ts");
  expect(find("repository/packages/one/src")).toEqual([]);
  const top = put("repository/coxswain.config.json");
  expect(find("repository/packages/one/src")).toEqual([{ path: top, scope: "project" }]);
  const near = put("repository/packages/one/coxswain.config.json");
  expect(find("repository/packages/one/src")).toEqual([{ path: near, scope: "project" }]);
});

it("a worktree is a repository", () => {
  put("worktree/.git");
  put("worktree/folder/file");
  const top = put("worktree/coxswain.config.json");
  expect(find("worktree/folder")).toEqual([{ path: top, scope: "project" }]);
});

it("outside of a repository only the directory itself is searched", () => {
  put("coxswain.config.json");
  put("folder/inner/file");
  expect(find("folder/inner")).toEqual([]);
});

it("a folder of that name is ignored", () => {
  put("folder/coxswain.config.json/file");
  expect(find("folder")).toEqual([]);
});

function find(folder: string, env: Readonly<Record<string, string>> = {}): ReturnType<typeof findConfigFiles> {
  mkdirSync(join(root, folder), { recursive: true });
  return findConfigFiles(join(root, folder), { HOME: join(root, "home"), ...env });
}

function put(name: string): string {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "{}");
  return path;
}
