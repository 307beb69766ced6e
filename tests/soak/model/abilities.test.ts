import { expect, it } from "vitest";
import type { RequestOption } from "../../../src/spec/provider/cli-data.ts";
import { ABLE } from "./able-provider.ts";
import type { ModelCall } from "./model-call.ts";
import { createModelClient } from "./model-client.ts";
import { endOf, runDecided, shortEvents } from "./predict-decided.ts";

const POOR = {
  ...ABLE,
  options: ["mcp-stdio"] as readonly RequestOption[],
} as const;

function run(call: Partial<ModelCall>): readonly string[] {
  const client = createModelClient({ providers: { poor: POOR, able: ABLE }, now: 0 });
  const done = runDecided(client, { targets: [{ provider: "poor" }], ...call });
  return [...shortEvents(done), endOf(done)];
}

it.each([{ images: true }, { structuredOutput: "native" }, { mcp: ["stdio", "http"] }] as const)(
  "a provider that lacks one gives `option-unsupported` before a process is started (%o)",
  (requires) => {
    expect(run({ targets: [{ provider: "poor", requires }] })).toEqual(["option-unsupported"]);
  },
);

it.each([{ images: false }, { structuredOutput: "text" }, { mcp: ["stdio"] }, {}] as const)(
  "a provider that has what the target requires is asked (%o)",
  (requires) => {
    expect(run({ targets: [{ provider: "poor", requires }] })).toEqual(["attempt 1 poor", "answer"]);
  },
);

it("a chain continues with the next target", () => {
  expect(run({ targets: [{ provider: "poor", requires: { images: true } }, { provider: "able" }] })).toEqual([
    "poor to able after option-unsupported",
    "attempt 1 able",
    "answer",
  ]);
});

it("settings that a CLI cannot honour and that only tune the answer are left out with a warning `setting-ignored`", () => {
  const request = { settings: ["effort", "maxTurns", "maxOutputTokens"] } as const;
  expect(run({ request })).toEqual(["attempt 1 poor", "setting-ignored", "setting-ignored", "setting-ignored", "answer"]);
  expect(run({ request, targets: [{ provider: "able" }] })).toEqual(["attempt 1 able", "answer"]);
});

it("an ignored setting is reported once for a target, not again by its retries", () => {
  const script = {
    poor: [
      { end: "overloaded", output: "nothing" },
      { end: "answer", output: "text" },
    ],
  } as const;
  expect(run({ request: { settings: ["effort"] }, script })).toEqual([
    "attempt 1 poor",
    "setting-ignored",
    "retry of 1 after overloaded",
    "attempt 2 poor",
    "answer",
  ]);
});

it("with `strict: true` in the request they are a failure, `option-unsupported`, before anything is started", () => {
  expect(run({ request: { settings: ["effort"], strict: true } })).toEqual(["option-unsupported"]);
  expect(run({ request: { settings: [], strict: true } })).toEqual(["attempt 1 poor", "answer"]);
});

it.each(["output-schema", "images", "mcp-http"] as const)(
  "whatever changes what the answer means is always refused where it is not supported: %s",
  (option) => {
    expect(run({ request: { needs: [option] } })).toEqual(["option-unsupported"]);
  },
);

it.each([{ id: "s" }, { keep: true }, { resume: "s" }, { fork: "s" }] as const)(
  "a session is always refused where it is not supported (%o)",
  (session) => {
    expect(run({ request: { session } })).toEqual(["option-unsupported"]);
  },
);

it("a profile is refused where it is not supported", () => {
  expect(run({ targets: [{ provider: "poor", profile: "work" }] })).toEqual(["option-unsupported"]);
});
