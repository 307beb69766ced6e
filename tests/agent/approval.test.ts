import { describe, expect, it } from "vitest";
import { type AgentOptions, type Approval, createAgent, humanInput, type ThreadEvent } from "../../src/agent/index.ts";
import type { RunEvent } from "../../src/spec/wire/events.ts";
import { resultsIn, ScriptedModel } from "../support/agents/scripted-model.ts";

type Log = { readonly log: string[]; readonly tools: NonNullable<AgentOptions["tools"]> };

/** Tools that write down when they run: `look` changes nothing, `write` and `send` do. */
function openLog(): Log {
  const log: string[] = [];
  const run = (name: string) => (args: Record<string, unknown>) => {
    log.push(`${name} ${JSON.stringify(args)}`);
    return `${name} done`;
  };
  const tools = [
    { name: "look", readOnly: true, run: run("look") },
    { name: "write", run: run("write") },
    { name: "send", run: run("send") },
  ];
  return { log, tools: tools as never };
}

const ALL = [{ name: "write", args: { text: "a" } }, { name: "look" }, { name: "send", args: { to: "Ada" } }];

/** The thread as another process would read it. */
function stored(thread: readonly ThreadEvent[]): readonly ThreadEvent[] {
  return JSON.parse(JSON.stringify(thread));
}

describe("approval", () => {
  it("full runs every call", async () => {
    const { log, tools } = openLog();
    await createAgent({ model: new ScriptedModel(ALL, "Done."), tools })
      .ask("Go")
      .result();
    expect(log).toHaveLength(3);
  });

  it("plan runs only the calls that change nothing, and tells the model that it plans", async () => {
    const { log, tools } = openLog();
    const model = new ScriptedModel(ALL, "The plan: write, then send.");
    const { text, permissionDenials } = await createAgent({ model, tools, approval: "plan" }).ask("Go").result();
    expect(log).toEqual(["look {}"]);
    expect(text).toBe("The plan: write, then send.");
    expect(permissionDenials.map(({ name }) => name)).toEqual(["write", "send"]);
    expect(model.asked[0]?.[0]?.text).toContain("plan mode");
    expect(resultsIn(model.asked[1])).toContain("write: Error: Plan mode: this call was not made. Put it into the plan.");
  });

  it("approve asks for each call that changes something, one after another", async () => {
    const { log, tools } = openLog();
    const asked: string[] = [];
    const model = new ScriptedModel(ALL, "Done.");
    const run = createAgent({ model, tools, approval: "approve" }).ask("Go", {
      onPermission: async ({ name }) => {
        asked.push(`${name} after ${log.filter((line) => !line.startsWith("look")).length}`);
        return name === "write"
          ? { behavior: "allow", updatedInput: { text: "b" } }
          : { behavior: "deny", message: "Not to Ada." };
      },
    });
    await run.result();
    expect(asked).toEqual(["write after 0", "send after 1"]);
    expect(log.toSorted()).toEqual(["look {}", 'write {"text":"b"}']);
    expect(resultsIn(model.asked[1])).toContain("send: Error: Not to Ada.");
  });

  it("pauses without an answer, and resumes in another process with the decisions", async () => {
    const { log, tools } = openLog();
    const model = new ScriptedModel(ALL, "Done.");
    const agent = createAgent({ model, tools, approval: "approve" });
    const paused = await agent.ask("Go").result();
    expect(paused.finish).toBe("tool-calls");
    expect(paused.hostCalls).toEqual([
      { id: "write", name: "write", args: { text: "a" } },
      { id: "send", name: "send", args: { to: "Ada" } },
    ]);
    expect(log).toEqual(["look {}"]);

    const half = await agent.resume(stored(paused.thread), { write: { behavior: "allow" } }).result();
    expect(half.hostCalls?.map(({ name }) => name)).toEqual(["send"]);
    const done = await agent.resume(stored(half.thread), { send: { behavior: "deny", message: "No." } }).result();
    expect({ text: done.text, log }).toEqual({ text: "Done.", log: ["look {}", 'write {"text":"a"}'] });
    expect(model.asked).toHaveLength(2);
  });

  it("a decision about a call that does not wait is a failure", async () => {
    const { tools } = openLog();
    const agent = createAgent({ model: new ScriptedModel(ALL, "Done."), tools, approval: "approve" });
    const { thread } = await agent.ask("Go").result();
    const { failure } = await agent.resume(thread, { look: { behavior: "allow" } }).outcome();
    expect(failure).toMatchObject({ code: "bad-request", message: 'No call with the id "look" waits for a decision.' });
  });

  it("an approval counts for one call, also if the model gives two calls the same id", async () => {
    const { log, tools } = openLog();
    const twice = [
      { name: "write", id: "same", args: { text: "a" } },
      { name: "write", id: "same", args: { text: "b" } },
    ];
    const asked: string[] = [];
    await createAgent({ model: new ScriptedModel(twice, "Done."), tools, approval: "approve" })
      .ask("Go", {
        onPermission: ({ requestId }) => {
          asked.push(requestId);
          return asked.length === 1 ? { behavior: "allow" } : { behavior: "deny", message: "No." };
        },
      })
      .result();
    expect({ asked, log }).toEqual({ asked: ["same", "call_1_2"], log: ['write {"text":"a"}'] });
  });

  it("a function decides once for each call", async () => {
    const { log, tools } = openLog();
    const approval: Approval = ({ name, args }) => (name === "send" && args["to"] !== "Bob" ? "refuse" : "run");
    await createAgent({ model: new ScriptedModel(ALL, "Done."), tools, approval })
      .ask("Go")
      .result();
    expect(log.map((line) => line.split(" ")[0])).toEqual(["write", "look"]);
  });

  it("a host that cannot answer has denied the call", async () => {
    const { log, tools } = openLog();
    const agent = createAgent({ model: new ScriptedModel([{ name: "write" }], "Done."), tools, approval: "approve" });
    const { warnings } = await agent.ask("Go", { onPermission: () => Promise.reject(new Error("No terminal.")) }).result();
    expect({ log, codes: warnings.map(({ code }) => code) }).toEqual({ log: [], codes: ["permission-undecided"] });
  });
});

describe("the events of a call that needs an approval", () => {
  it("come in the order request, start, call, end; a call that waits has no start", async () => {
    const { tools } = openLog();
    const agent = createAgent({ model: new ScriptedModel([{ name: "write" }], "Done."), tools, approval: "approve" });
    const ofTool = (events: readonly RunEvent[] = []): readonly string[] =>
      events.map(({ type }) => type).filter((type) => /^(tool|permission)/.test(type));
    const paused = await agent.ask("Go", { keepEvents: true }).result();
    expect(ofTool(paused.events)).toEqual(["permission-request", "tool-call"]);
    const done = await agent.resume(paused.thread, { write: { behavior: "allow" } }, { keepEvents: true }).result();
    expect(ofTool(done.events)).toEqual(["tool-start", "tool-call", "tool-end"]);
  });
});

describe("the tool that asks a person", () => {
  const question = [{ name: "ask_human", args: { question: "Which boat?" } }];

  it("pauses until resume gives the answer; an approval alone is none", async () => {
    const model = new ScriptedModel(question, "The red one.");
    const agent = createAgent({ model, tools: [humanInput()], approval: "approve" });
    const { hostCalls, thread } = await agent.ask("Go").result();
    expect(hostCalls).toEqual([{ id: "ask_human", name: "ask_human", args: { question: "Which boat?" } }]);
    expect((await agent.resume(thread, { ask_human: { behavior: "allow" } }).result()).finish).toBe("tool-calls");
    expect((await agent.resume(thread, { ask_human: { output: "Red" } }).result()).text).toBe("The red one.");
    expect(resultsIn(model.asked[1])).toEqual(["ask_human: Red"]);
  });

  it("gives the model the caller's output as JSON, also if it looks like content of a message", async () => {
    const model = new ScriptedModel([{ name: "boats" }], "One.");
    const agent = createAgent({ model, tools: [{ name: "boats", readOnly: true }] });
    const { thread } = await agent.ask("Which boats?").result();
    await agent.resume(thread, { boats: { output: [{ type: "boat", name: "Ada" }] } }).result();
    expect(resultsIn(model.asked[1])).toEqual(['boats: [{"type":"boat","name":"Ada"}]']);
  });

  it("goes on at once if a function answers", async () => {
    const model = new ScriptedModel(question, "The red one.");
    const agent = createAgent({ model, tools: [humanInput(async (asked) => `You asked: ${asked}`)], approval: "approve" });
    expect((await agent.ask("Go").result()).text).toBe("The red one.");
    expect(resultsIn(model.asked[1])).toEqual(["ask_human: You asked: Which boat?"]);
  });
});
