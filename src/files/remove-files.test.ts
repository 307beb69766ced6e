import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { removeQuietly, removeSoon } from "./leftovers.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coxswain-remove-files-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it("removal ignores files and directories that cannot be removed", async () => {
  for (const remove of [removeQuietly, removeSoon]) {
    mkdirSync(join(folder, "some/deep"), { recursive: true });
    writeFileSync(join(folder, "some/deep/file"), "");
    await remove([join(folder, "absent"), "a\0b", join(folder, "some")]);
    expect(readdirSync(folder)).toEqual([]);
  }
});

it("removal does not follow links", async () => {
  writeFileSync(join(folder, "kept"), "kept");
  mkdirSync(join(folder, "some"));
  symlinkSync(folder, join(folder, "some/link"));
  await removeSoon([join(folder, "some")]);
  expect(readdirSync(folder)).toEqual(["kept"]);
  expect(readFileSync(join(folder, "kept"), "utf8")).toBe("kept");
});

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

// Root may change a directory that nobody may change, so the removal runs as another user.
it("a directory that nobody may change is removed", () => {
  const locked = join(folder, "some/locked");
  mkdirSync(locked, { recursive: true });
  writeFileSync(join(locked, "file"), "");
  chmodSync(locked, 0o555);
  chmodSync(folder, 0o755);
  if (isRoot) for (const path of ["", "some", "some/locked", "some/locked/file"]) chownSync(join(folder, path), NOBODY, NOBODY);
  const program = `import(${JSON.stringify(join(import.meta.dirname, "leftovers.ts"))}).then((m) => m.removeSoon([process.argv[1]]))`;
  execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", "-e", program, join(folder, "some")], {
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    cwd: "/",
  });
  expect(readdirSync(folder)).toEqual([]);
});
