import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import type { Output } from "./output.ts";
import type { Child } from "./spawn-child.ts";
import { type SuperviseOptions, Supervisor } from "./supervise.ts";

const fail = (): never => {
  throw new Error("the file is broken");
};

it.each<[string, Partial<SuperviseOptions>, Partial<Output>]>([
  ["whose output cannot be closed", {}, { close: fail }],
  ["whose output cannot be settled", {}, { settle: () => Promise.reject(new Error("the file is broken")) }],
  ["whose end throws in its listener", { onEnd: fail }, {}],
])("a child %s is gone after its exit, and the host lives", async (_name, changes, broken) => {
  const child = spawn(process.execPath, ["-e", "0"], { stdio: "pipe" }) as Child;
  const { promise: ended, resolve: onEnd } = Promise.withResolvers<unknown>();
  const output: Output = {
    follow() {},
    settle: () => Promise.resolve(),
    ignore() {},
    isCut: () => false,
    close() {},
    ...broken,
  };
  const own = { run: "none.1", guardian: undefined, stopSignal: "SIGTERM", output, files: [], directory: "/" } as const;
  const options = { ...own, onStdout() {}, onEnd };
  const supervisor = new Supervisor(child, { ...options, ...changes });
  await supervisor.gone;
  if (changes.onEnd === undefined) expect(await ended).toEqual({ exitCode: 0 });
  expect(supervisor.exited()).toEqual({ exitCode: 0 });
});
