import type { RunRequest } from "../../src/spec/request.ts";
import type { FakeAnswer } from "../../src/testing/index.ts";
import type { ProbeRun } from "./probe.ts";

/** The model's answer after its tools have run. */
export const DONE: FakeAnswer = { kind: "text", text: "Done." };

/** An agent in its workspace with all permissions. */
export function agent(request: Partial<RunRequest> = {}): ProbeRun {
  const base = { prompt: "Do it.", mode: "agent", permissions: { mode: "bypass" } } as const;
  return { request: ({ workspace }) => ({ ...base, cwd: workspace, ...request }) };
}

/** A completion. */
export function completion(request: Partial<RunRequest> = {}): ProbeRun {
  return { request: () => ({ prompt: "hi", ...request }) };
}
