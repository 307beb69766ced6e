import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { compileCache } from "./state-directory.ts";

let state = "";

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "coxswain-compile-cache-"));
});

afterEach(() => rmSync(state, { recursive: true, force: true }));

it("the folder is the same all month, and that of the month before is deleted", () => {
  const [november, december] = [new Date("2026-11-30"), new Date("2026-12-01")];
  const path = compileCache({ XDG_STATE_HOME: state }, november)["NODE_COMPILE_CACHE"] ?? "";
  expect(path).toBe(join(state, "coxswain", "compiled", "2026-11"));
  writeFileSync(join(path, "compiled"), "");
  expect(compileCache({ XDG_STATE_HOME: state }, november)).toEqual({ NODE_COMPILE_CACHE: path });
  expect(existsSync(join(path, "compiled"))).toBe(true);
  expect(compileCache({ XDG_STATE_HOME: state }, december)).toEqual({
    NODE_COMPILE_CACHE: join(state, "coxswain", "compiled", "2026-12"),
  });
  expect(existsSync(path)).toBe(false);
});

it("a NODE_COMPILE_CACHE of the user is kept", () => {
  expect(compileCache({ XDG_STATE_HOME: state, NODE_COMPILE_CACHE: "/mine" })).toEqual({});
  expect(existsSync(join(state, "coxswain"))).toBe(false);
});

it("without a writable directory there is no cache, and nothing is thrown", () => {
  writeFileSync(join(state, "coxswain"), "no directory");
  expect(compileCache({ XDG_STATE_HOME: state })).toEqual({});
});
