import type { RunRequest } from "../../src/spec/request.ts";
import type { FakeAnswer } from "../../src/testing/index.ts";
import type { ProbeRun } from "./probe.ts";

/** What the model says when its tools have run. */
export const DONE: FakeAnswer = { kind: "text", text: "Done." };

/** An agent in its workspace that may do everything. */
export function agent(request: Partial<RunRequest> = {}): ProbeRun {
  const base = { prompt: "Do it.", mode: "agent", permissions: { mode: "bypass" } } as const;
  return { request: ({ workspace }) => ({ ...base, cwd: workspace, ...request }) };
}

/** A completion. */
export function completion(request: Partial<RunRequest> = {}): ProbeRun {
  return { request: () => ({ prompt: "hi", ...request }) };
}
