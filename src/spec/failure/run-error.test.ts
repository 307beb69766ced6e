import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";
import { expect, it, onTestFinished } from "vitest";
import type { RunResult } from "../result.ts";
import { createFailure } from "./failure.ts";
import { RunError } from "./run-error.ts";

const failure = createFailure("crashed", "The program died.");
const result: RunResult = { text: "", toolCalls: [], permissionDenials: [], warnings: [], finish: "error", failure };

it("the error is an Error with the failure's message, the failure and the result", () => {
  const error = new RunError(failure, result);
  expect(error).toBeInstanceOf(Error);
  expect(error.name).toBe("RunError");
  expect(error.message).toBe("The program died.");
  expect(error.failure).toBe(failure);
  expect(error.result).toBe(result);
  expect(error.stack).toContain("run-error.test.ts");
});

it("is() accepts its own errors", () => {
  const error: unknown = new RunError(failure, result);
  expect(RunError.is(error)).toBe(true);
  if (RunError.is(error)) expect(error.failure.code).toBe("crashed");
});

it("is() accepts errors of another loaded copy of the package, and that copy accepts ours", async () => {
  const copy = await loadCopy();
  expect(copy).not.toBe(RunError);
  const foreign = new copy(failure, result);
  expect(foreign).not.toBeInstanceOf(RunError);
  expect(RunError.is(foreign)).toBe(true);
  expect(copy.is(new RunError(failure, result))).toBe(true);
});

it("is() accepts an error from another realm by the same symbol", () => {
  const foreign: unknown = runInNewContext('Object.assign(new Error("x"), { [Symbol.for("coxswain.RunError")]: true })');
  expect(foreign).not.toBeInstanceOf(Error);
  expect(RunError.is(foreign)).toBe(true);
});

it.each([
  ["nothing", undefined],
  ["null", null],
  ["a string", "RunError"],
  ["another error", new Error("The program died.")],
  ["an object that looks like one", { name: "RunError", message: "x", failure, result }],
  ["an object with a false mark", { [Symbol.for("coxswain.RunError")]: "true" }],
  ["a mark under a symbol of one's own", { [Symbol("coxswain.RunError")]: true }],
  ["the class itself", RunError],
])("is() refuses %s", (_name, value) => {
  expect(RunError.is(value)).toBe(false);
});

it("the marker is not printed or copied", () => {
  const error = new RunError(failure, result);
  expect(Object.keys(error).toSorted()).toEqual(["failure", "name"]);
  expect(Object.getOwnPropertySymbols({ ...error })).toEqual([]);
});

async function loadCopy(): Promise<typeof RunError> {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-run-error-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "run-error.ts");
  copyFileSync(fileURLToPath(new URL("./run-error.ts", import.meta.url)), path);
  const copy: typeof import("./run-error.ts") = await import(pathToFileURL(path).href);
  return copy.RunError;
}
