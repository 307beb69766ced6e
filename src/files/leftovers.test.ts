import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claimLeftovers, findLeftoverPaths, releaseLeftovers, removeLeftovers } from "./leftovers.ts";

const NAMES = [".git", ".codex", ".agents"];
let folder = "";

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "coxswain leftovers-")));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("a new empty directory is removed, whatever else the folder contains", () => {
  const paths = findLeftoverPaths(folder, NAMES);
  expect(paths).toEqual(NAMES.map((name) => join(folder, name)));
  for (const name of [".git", ".agents", ".other"]) mkdirSync(join(folder, name));
  removeLeftovers(paths);
  expect(readdirSync(folder)).toEqual([".other"]);
});

it("a path that existed before the run stays, empty or not", () => {
  mkdirSync(join(folder, ".git"));
  symlinkSync("nowhere", join(folder, ".codex"));
  const paths = findLeftoverPaths(folder, NAMES);
  expect(paths).toEqual([join(folder, ".agents")]);
  mkdirSync(join(folder, ".agents"));
  removeLeftovers(paths);
  expect(readdirSync(folder)).toEqual([".codex", ".git"]);
});

it("a file, an empty file, a link and a directory with content are never removed", () => {
  const paths = findLeftoverPaths(folder, [...NAMES, ".aws"]);
  mkdirSync(join(folder, ".git"));
  writeFileSync(join(folder, ".git", "HEAD"), "");
  writeFileSync(join(folder, ".codex"), "text");
  writeFileSync(join(folder, ".agents"), "");
  mkdirSync(join(folder, "empty"));
  symlinkSync("empty", join(folder, ".aws"));
  removeLeftovers(paths);
  expect(readdirSync(folder)).toEqual([".agents", ".aws", ".codex", ".git", "empty"]);
  expect(existsSync(join(folder, ".git", "HEAD"))).toBe(true);
});

it("two runs may leave the same directory; it is removed after the last of them", () => {
  const first = findLeftoverPaths(folder, NAMES);
  claimLeftovers(first);
  mkdirSync(join(folder, ".git"));
  const second = findLeftoverPaths(folder, NAMES);
  expect(second).toEqual(first);
  claimLeftovers(second);
  releaseLeftovers(first);
  expect(findLeftoverPaths(folder, NAMES)).toEqual(first);
  releaseLeftovers(second);
  expect(findLeftoverPaths(folder, NAMES)).toEqual([join(folder, ".codex"), join(folder, ".agents")]);
});

it("a directory is found through a link too, and a missing directory has no leftovers", () => {
  const link = join(folder, "link");
  mkdirSync(join(folder, "real"));
  symlinkSync("real", link);
  expect(findLeftoverPaths(link, [".git"])).toEqual([join(folder, "real", ".git")]);
  expect(findLeftoverPaths(join(folder, "missing"), [".git"])).toEqual([]);
  removeLeftovers([join(folder, "missing", ".git")]);
});
