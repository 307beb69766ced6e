import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseGitConfig, readGitConfig } from "./git-config.ts";

it.each([
  ["sections, names and values", "[Core]\n\tFSMonitor = run me # why\n; no\n[a.B]\nc=d", ["core.fsmonitor=run me", "a.b.c=d"]],
  ["a setting in the line of its section", '[filter "X y"] Clean=one', ["filter.X y.clean=one"]],
  ["escapes of a subsection", '[filter "a\\"b\\\\c]d"]\nclean=x', ['filter.a"b\\c]d.clean=x']],
  ["quotes, escapes and continued lines", '[a]\nb = " x ;" y \\\n z\\t" # "\nc', ["a.b= x ; y  z\t # ", "a.c=true"]],
  ["carriage returns and a byte order mark", "\uFEFF[a]\r\nb = c\r\n[d]\r\ne\r\n", ["a.b=c", "d.e=true"]],
  ["nothing of a comment", '# [filter "x"]\n; clean = y\n[a] ; b = c\nd = e', ["a.d=e"]],
])("reads %s", (_, text, expected) => {
  expect(parseGitConfig(text).map(({ key, value }) => `${key}=${value}`)).toEqual(expected);
});

it("follows includes of a project whatever their condition, those of a user only without one, and stops at a circle", () => {
  const root = mkdtempSync(join(tmpdir(), "git-config-"));
  mkdirSync(join(root, "inner"));
  const included = '[include]\npath = inner/a\n[includeIf "onbranch:x"]\npath = ~/b\n[one]\nx = 1';
  writeFileSync(join(root, "config"), included);
  writeFileSync(join(root, "inner/a"), "[two]\nx = 2\n[include]\npath = ../config");
  writeFileSync(join(root, "b"), "[three]\nx = 3\n[include]\npath = /dev/zero");
  const keysOf = (conditional: boolean): readonly string[] => {
    const { entries } = readGitConfig(join(root, "config"), { home: root, conditional });
    return [...new Set(entries.map(({ key }) => key).filter((key) => key.endsWith(".x")))];
  };
  expect([keysOf(false), keysOf(true)]).toEqual([
    ["one.x", "two.x"],
    ["one.x", "two.x", "three.x"],
  ]);
  expect(readGitConfig(join(root, "b"), { home: root, conditional: true }).unread).toBe("/dev/zero");
  rmSync(root, { recursive: true });
});
