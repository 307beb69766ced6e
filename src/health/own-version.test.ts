import { expect, it } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { claude } from "../clis/claude/provider.ts";
import { rehearsal } from "../clis/rehearsal/provider.ts";
import { versionOfOwn } from "./probe-version.ts";

it("a program of this package has the package's version", () => {
  expect(versionOfOwn(rehearsal)).toBe(packageFile.version);
});

it.each([
  ["a CLI on the PATH", claude.binary],
  ["a script elsewhere", { script: new URL("../../bin/cox.js", import.meta.url) }],
])("%s has no own version", (_name, binary) => {
  expect(versionOfOwn({ ...rehearsal, binary })).toBeUndefined();
});
