import { expect, it } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { claude } from "../clis/claude/provider.ts";
import { rehearsal } from "../clis/rehearsal/provider.ts";
import { ownVersion } from "./probe-version.ts";

it("a program of this package has the package's version", () => {
  expect(ownVersion(rehearsal)).toBe(packageFile.version);
});

it.each([
  ["a CLI on the PATH", claude.binary],
  ["a script elsewhere", { script: new URL("../../bin/cox.js", import.meta.url) }],
  ["a script that is not there", { script: new URL("../rehearsal/absent.ts", import.meta.url) }],
])("%s has no own version", (_name, binary) => {
  expect(ownVersion({ ...rehearsal, binary })).toBeUndefined();
});
