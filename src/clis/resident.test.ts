import { describe, expect, it } from "vitest";
import type { ResidentTransport } from "../spec/provider/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import { geminiResident } from "./gemini/resident.ts";
import { grokResident } from "./grok/resident.ts";
import { qwenResident } from "./qwen/resident.ts";

const ASKED = { answersPermissions: true };
const ALONE = { answersPermissions: false };

const serves = (transport: ResidentTransport, request: Partial<PromptRequest>, options = ALONE): boolean =>
  transport.serves({ prompt: "hi", ...request }, options);

describe.each([
  ["qwen", qwenResident],
  ["gemini", geminiResident],
  ["grok", grokResident],
] as const)("the resident process of %s", (_name, transport) => {
  it("has the same launch for all prompts of stateless requests, and no prompt in it", () => {
    const launch = (prompt: string): string => JSON.stringify(transport.launch({ prompt, system: "S" }, ALONE));
    expect(launch("one")).toBe(launch("another"));
    expect(launch("SECRET")).not.toContain("SECRET");
  });

  it("serves completions, no session of a chosen id and no fork", () => {
    expect(serves(transport, {})).toBe(true);
    expect(serves(transport, { session: { id: "5e9c0f6a-1b7d-4c55-9a51-3f0c2d8e7b10" } })).toBe(false);
    expect(serves(transport, { session: { fork: "s" } })).toBe(false);
  });

  it("serves no agent whose host answers no permission requests", () => {
    expect(serves(transport, { mode: "agent" })).toBe(false);
  });
});

it.each([
  ["qwen", qwenResident],
  ["gemini", geminiResident],
] as const)(
  "%s starts the same process for a session that is kept and one that is resumed, and serves an agent",
  (_name, transport) => {
    const launch = (session: PromptRequest["session"] & object): unknown => transport.launch({ prompt: "", session }, ALONE);
    expect(launch({ keep: true })).toEqual(launch({ resume: "s" }));
    expect(serves(transport, { mode: "agent" }, ASKED)).toBe(true);
    expect(serves(transport, { mode: "agent", prompt: "read @note.txt" }, ASKED)).toBe(false);
  },
);

it.each([{ outputSchema: {} }, { maxTurns: 2 }])("qwen and grok leave %j to a new process", (request) => {
  expect([serves(qwenResident, request), serves(grokResident, request)]).toEqual([false, false]);
});

it.each(["/help", " \n/help", "$x"])("gemini leaves the prompt %j to a new process", (prompt) => {
  expect(serves(geminiResident, { prompt })).toBe(false);
});

it("grok begins and continues sessions, but resumes none of another process", () => {
  expect(serves(grokResident, { session: { keep: true } })).toBe(true);
  expect(serves(grokResident, { session: { resume: "s" } })).toBe(true);
  expect(grokResident.resumes).toBe(false);
});

it("grok binds the system prompt to the session, so that it is not in the launch", () => {
  const launch = (system: string): unknown => grokResident.launch({ prompt: "", system }, ALONE);
  expect(launch("One.")).toEqual(launch("Two."));
});
