import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { installedVersion } from "./known-versions.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), "coxswain-installed-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ["an npm package", "lib/node_modules/@x/claude-code/cli.js", "lib/node_modules/@x/claude-code", { version: "2.1.325" }],
  ["a native program in an npm package", "node_modules/codex/vendor/bin/codex", "node_modules/codex", { version: "0.9.1" }],
  ["a package for one platform", "node_modules/codex/bin/codex", "node_modules/codex", { version: "0.9.1-linux-x64" }],
  ["a preview", "node_modules/gemini/gemini.js", "node_modules/gemini", { version: "0.9.1-preview.2" }],
  ["a linked checkout", "checkout/dist/claude.js", "checkout", { version: "1.2.3", bin: { claude: "./dist/claude.js" } }],
] as const)("%s has a version in its files", (_what, file, where, manifest) => {
  put(join(where, "package.json"), JSON.stringify({ name: "any", ...manifest }));
  put(join(dirname(file), "package.json"), manifestAt(file, where, manifest));
  expect(installedVersion("claude", put(file))).toBe(manifest.version.replace("-linux-x64", ""));
});

it.each([
  ["claude", "share/claude/versions/2.1.325", "2.1.325"],
  ["codex", "Cellar/codex/0.166.0/bin/codex", "0.166.0"],
  ["claude", "Caskroom/claude-code/2.1.325/claude", "2.1.325"],
  ["codex.exe", "codex/0.166.0/codex.exe", "0.166.0"],
  ["claude", ".nvm/versions/node/22.1.0/bin/claude", undefined],
  ["claude", "python/3.12.1/bin/claude", undefined],
  ["claude", "bin/claude", undefined],
])("%s at %s has the version %s", (command, file, version) => {
  expect(installedVersion(`/usr/bin/${command}`, put(file))).toBe(version);
});

it("the package.json of an unrelated project above a program is ignored", () => {
  put("project/package.json", '{ "name": "mine", "version": "7.0.0", "bin": "other.js" }');
  expect(installedVersion("claude", put("project/tools/claude"))).toBeUndefined();
});

it("a broken package.json is ignored", () => {
  put("node_modules/claude/package.json", "{");
  symlinkSync(put("node_modules/claude/cli.js"), join(folder, "claude"));
  expect(installedVersion("claude", realpathSync(join(folder, "claude")))).toBeUndefined();
});

/** Writes a package.json with only `type` beside the program, as many packages have it. */
function manifestAt(file: string, where: string, manifest: object): string {
  return dirname(file) === where ? JSON.stringify({ name: "any", ...manifest }) : '{ "type": "module" }';
}

function put(name: string, content = ""): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}
