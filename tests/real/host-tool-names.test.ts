import { describe, expect, it } from "vitest";
import { type JsonValue, listOf, objectOf, stringOf } from "../../src/spec/json.ts";
import type { HostCall, ToolDefinition } from "../../src/spec/message.ts";
import type { FakeAnswer, FakeApiRequest } from "../../src/testing/index.ts";
import { agentRequest, agentTargetOf, DONE } from "../support/real-clis/agent-request.ts";
import { eventsOf, openRealCli } from "./open-real-cli.ts";
import { ALL_TOOL_NAMES } from "./program-tools.ts";

const TOOLS: readonly ToolDefinition[] = ALL_TOOL_NAMES.map((name, number) => ({
  name,
  description: `Host tool number ${number}.`,
  parameters: {
    type: "object",
    properties: { number: { type: "integer" }, content: { type: "string" } },
    required: ["number", "content"],
    additionalProperties: false,
  },
}));

/** Claude Code would remove the spaces at the end of lines from the content of its own `Write`. */
const CONTENT = "one  \ntwo\t\n";

type Offered = { readonly name: string; readonly number: number };

/** The host tools of a request to the model: its names for them, and their numbers. */
function offeredTools(body: JsonValue): readonly Offered[] {
  if (Array.isArray(body)) return listOf(body).flatMap(offeredTools);
  const fields = objectOf(body);
  if (fields === undefined) return [];
  const number = /^Host tool number (\d+)\./.exec(stringOf(fields["description"]) ?? "")?.[1];
  const name = stringOf(fields["name"]);
  if (number !== undefined && name !== undefined) return [{ name, number: Number(number) }];
  return Object.values(fields).flatMap(offeredTools);
}

/** The model calls the host tools from a number on by the names that it is offered, and then ends its turn. */
function callsFrom(first: number): (request: FakeApiRequest, index: number) => FakeAnswer {
  return ({ body }, index) => {
    if (index > 0) return DONE;
    const offered = offeredTools(body).filter(({ number }) => number >= first);
    return { kind: "tool-calls", calls: offered.map(({ name, number }) => ({ name, input: { number, content: CONTENT } })) };
  };
}

// The others put a word in front of each name, and some of them take a tenth of a second for each call.
describe.each([
  { cli: "claude", mode: "completion", first: 0 },
  { cli: "codex", mode: "completion", first: 0 },
  { cli: "codex", mode: "agent", first: 0 },
  { cli: "gemini", mode: "completion", first: 115 },
  { cli: "qwen", mode: "completion", first: 115 },
  { cli: "opencode", mode: "completion", first: 115 },
  { cli: "copilot", mode: "completion", first: 115 },
] as const)("host tools with the names of programs' own tools on real $cli in $mode mode", ({ cli: name, mode, first }) => {
  it("are all offered, called and reported by the caller's names, and their arguments are not changed", async () => {
    const cli = await openRealCli(name, callsFrom(first));
    const made: string[] = [];
    const callTool = ({ name: called, args }: HostCall): string => {
      made.push(JSON.stringify([called, args["number"], args["content"]]));
      return "done";
    };
    const request = mode === "agent" ? agentRequest(cli, { permissions: { mode: "bypass" } }) : { prompt: "Hi." };
    const target = mode === "agent" ? agentTargetOf(name) : cli.row.target;
    const run = await cli.run({ ...request, tools: TOOLS, hostTools: "native" }, { target, context: { callTool } });
    expect(run.failure).toBeUndefined();
    expect(offeredTools(cli.api.modelRequests[0]?.body ?? {})).toHaveLength(TOOLS.length);
    const called = ALL_TOOL_NAMES.slice(first).toSorted();
    const expected = called.map((tool) => JSON.stringify([tool, ALL_TOOL_NAMES.indexOf(tool), CONTENT]));
    expect(made.toSorted()).toEqual(expected.toSorted());
    for (const type of ["tool-start", "tool-call", "tool-end"] as const) {
      const names = eventsOf(run, type).map((event) => event.name);
      expect(names.toSorted(), type).toEqual(called);
    }
    expect(eventsOf(run, "tool-end").filter(({ output }) => output !== "done")).toEqual([]);
  });
});
