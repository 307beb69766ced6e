import { describe, expect, it } from "vitest";
import type { PermissionAnswer, RunContext } from "../../../src/spec/stream.ts";
import { createProgramClient, runProgram } from "../../support/clis/program-client.ts";
import { eventsOf, finishRun } from "../../support/runs/read-run.ts";
import { expectAnswer, expectFailure } from "../../support/runs/run-expectations.ts";

type OnPermission = NonNullable<RunContext["onPermission"]>;

const cycle: Record<string, unknown> = {};
cycle["self"] = cycle;
const deep = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`);

describe("an answer of the host that is not JSON", () => {
  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a word", "allow"],
    ["another behavior", { behavior: "constructor" }],
    ["a bigint", { behavior: "allow", updatedInput: { count: 10n } }],
    ["a cycle", { behavior: "allow", updatedInput: cycle }],
    ["a function", { behavior: "allow", updatedInput: () => 1 }],
    ["a function inside", { behavior: "allow", updatedInput: { list: [() => 1] } }],
    ["a symbol", { behavior: "allow", updatedInput: Symbol("x") }],
    ["an infinite number", { behavior: "allow", updatedInput: { seconds: Number.POSITIVE_INFINITY } }],
    ["20,000 levels", { behavior: "allow", updatedInput: deep }],
    ["a toJSON that throws", { behavior: "allow", updatedInput: { toJSON: fail } }],
    ["a getter that throws", Object.defineProperty({}, "behavior", { get: fail })],
  ])("%s denies the call with a warning, and the run goes on", async (_name, given) => {
    const { reply, warnings } = await replyTo(() => given as PermissionAnswer);
    expect(reply).toEqual({ behavior: "deny", message: "The host could not decide." });
    expect(warnings).toEqual([expect.objectContaining({ code: "permission-undecided" })]);
  });

  it("a host that rejects denies the call with a warning", async () => {
    const { reply, warnings } = await replyTo(() => Promise.reject("no Error"));
    expect(reply).toEqual({ behavior: "deny", message: "The host could not decide." });
    expect(warnings).toEqual([expect.objectContaining({ code: "permission-undecided" })]);
  });

  it("a denial without a message that is text stays a denial", async () => {
    const { reply, warnings } = await replyTo(() => ({ behavior: "deny", message: 10n }) as never);
    expect([reply, warnings]).toEqual([{ behavior: "deny", message: "The host denied it." }, []]);
  });
});

it("input that the host changes or leaves as it is arrives as JSON", async () => {
  const changed = await replyTo(() => ({ behavior: "allow", updatedInput: { at: new Date(0), none: undefined } }) as never);
  expect([changed.reply, changed.warnings]).toEqual([
    { behavior: "allow", updatedInput: { at: "1970-01-01T00:00:00.000Z" } },
    [],
  ]);
  const unchanged = await replyTo(() => ({ behavior: "allow" }));
  expect([unchanged.reply, unchanged.warnings]).toEqual([{ behavior: "allow", updatedInput: { a: 1 } }, []]);
});

it("a question with input of 1,000 levels is answered", async () => {
  const { reply } = await replyTo(() => ({ behavior: "allow" }), 1_000);
  expect(reply).toMatchObject({ behavior: "allow" });
});

it("a question with input of 5,000 levels cannot be read: the host is warned, and the run ends by its clock", {
  timeout: 30_000,
}, async () => {
  const request = { mode: "agent", env: { LEVELS: "5000" }, timeouts: { idleMs: 2_000 } } as const;
  const { start } = createProgramClient("asks-permission", { request });
  const run = await finishRun(start({ onPermission: () => ({ behavior: "allow" }) }));
  expect(eventsOf(run.events, "warning")).toMatchObject([{ code: "line-too-deep" }]);
  await expectFailure(run, "timeout", "idle-timeout");
});

it("lines with 20,000 levels are dropped with warnings, and the answer after them arrives", async () => {
  const run = await runProgram("prints-deep-lines", { request: { mode: "agent" } });
  expect(eventsOf(run.events, "warning").map(({ code }) => code)).toEqual(Array.from({ length: 4 }, () => "line-too-deep"));
  expect(JSON.stringify(run.events)).not.toBe("");
  await expectAnswer(run, "All good.");
});

it("names that every object inherits are data", async () => {
  const run = await runProgram("prints-odd-keys", { request: { mode: "agent" } });
  const keys = ["__proto__", "constructor", "toString", "hasOwnProperty"];
  const [native] = eventsOf(run.events, "native");
  const [call] = eventsOf(run.events, "tool-end");
  expect(call).toMatchObject({ id: "__proto__", name: "constructor", output: "x", isError: false });
  for (const value of [native?.value, call?.input, call?.details]) {
    expect(Object.keys(value ?? {})).toEqual(keys);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  }
  expect(Reflect.get({}, "isAdmin")).toBeUndefined();
  await expectAnswer(run, "All good.");
});

it("a question of a CLI that does not tell the input says so, to the host and in the events", async () => {
  const { start } = createProgramClient("asks-permission", { request: { mode: "agent", env: { UNTOLD: "1" } } });
  const asked: unknown[] = [];
  const onPermission: OnPermission = (question) => {
    asked.push(question);
    return { behavior: "deny", message: "No." };
  };
  const run = await finishRun(start({ onPermission }));
  const untold = { name: "Bash", input: null, isDescription: true };
  expect([asked, eventsOf(run.events, "permission-request")]).toMatchObject([[untold], [untold]]);
});

async function replyTo(onPermission: OnPermission, levels = 1) {
  const { start } = createProgramClient("asks-permission", { request: { mode: "agent", env: { LEVELS: String(levels) } } });
  const run = await finishRun(start({ onPermission }));
  expect(run.end.failure).toBeUndefined();
  return { reply: JSON.parse((await run.stream.result()).text), warnings: eventsOf(run.events, "warning") };
}

function fail(): never {
  throw new Error("no answer");
}
