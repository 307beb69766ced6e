import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createClient, type Failure, RunError } from "../../src/index.ts";
import { collect } from "../../src/run/collect.ts";
import type { OutputFormat } from "../../src/spec/wire/wire.ts";
import { fakeClaude, INIT, print, resultLine, toolUse } from "../support/clis/fake-claude.ts";
import { eventsOf, finishRun } from "../support/runs/read-run.ts";
import { expectAnswer, expectFailure, failureOf } from "../support/runs/run-expectations.ts";
import { openTestScope } from "../support/test-scope.ts";
import { eventsIn, replayText, resultOf } from "./recorded-runs.ts";

const INIT_LINE = `${JSON.stringify(INIT)}\n`;
const ANSWER_LINE = `${JSON.stringify(resultLine("All good."))}\n`;

describe("output that is not what it ought to be", () => {
  const cases: readonly { readonly what: string; readonly format: OutputFormat; readonly stdout: string }[] = [
    { what: "nothing", format: "stream-json", stdout: "" },
    { what: "nothing in place of a document", format: "json", stdout: "" },
    { what: "half an object", format: "json", stdout: '{"content": "Hel' },
    { what: "half a line", format: "stream-json", stdout: '{"type":"result","resu' },
    { what: "binary garbage", format: "stream-json", stdout: "\u0000\uFFFD\u0001{\u0002}\n\u007F\u0000[[[\n" },
    { what: "an empty object", format: "json", stdout: "{}" },
    { what: "an empty object as a line", format: "stream-json", stdout: "{}\n" },
    { what: "an empty list", format: "json", stdout: "[]" },
    { what: "an empty list as a line", format: "stream-json", stdout: "[]\n" },
    { what: "a number, a string and a null", format: "stream-json", stdout: '42\n"text"\nnull\n' },
    { what: "nothing but metadata", format: "stream-json", stdout: INIT_LINE },
  ];

  test("R136 malformed output never makes the parser throw and never becomes an answer", () => {
    for (const { what, format, stdout } of cases) {
      const { text, failure } = collect(replayText(stdout, { format }));
      expect({ text, code: failure?.code }, what).toEqual({ text: "", code: "no-terminal-event" });
    }
  });

  test("R136 malformed lines are kept as native events", () => {
    const events = replayText(`Welcome!\n{"type":"assistant","mess\n${ANSWER_LINE}`);
    expect(eventsOf(events, "native")).toMatchObject([{ text: "Welcome!" }, { text: '{"type":"assistant","mess' }]);
  });

  test("R136 R167 a bad line among good ones costs nothing but itself", async () => {
    const bytes = Buffer.concat([Buffer.from("Welcome!\n{ not json }\n"), Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a])]);
    const noise = { do: "write", base64: bytes.toString("base64") } as const;
    const run = await finishRun(fakeClaude([print(INIT), noise, print(resultLine("All good.")), noise]).run());
    expect(eventsOf(run.events, "native").length).toBeGreaterThan(1);
    await expectAnswer(run, "All good.");
  });

  test("R167 output without a terminal event is an invalid response", async () => {
    const run = await finishRun(fakeClaude([print(INIT), { do: "write", text: "{ not json }\n" }]).run());
    await expectFailure(run, "invalid_response", "no-terminal-event");
  });
});

describe("a program that cannot be started", () => {
  test("R166 a program is not found when it is not there or may not be executed", async () => {
    const { directory } = openTestScope();
    const [missing, forbidden] = [join(directory, "missing"), join(directory, "forbidden")];
    writeFileSync(forbidden, "#!/bin/sh\n", { mode: 0o644 });
    expect(await startFailure(missing)).toMatchObject({
      category: "not_found",
      code: "cli-missing",
      evidence: { errno: "ENOENT" },
    });
    expect(await startFailure(forbidden)).toMatchObject({ category: "not_found", code: "cli-not-executable" });
  });

  test("R166 a start that the system refuses for its size is a matter of validation", async () => {
    const failure = await failureOf(fakeClaude([]).run({ env: { LARGE: "x".repeat(200_000) } }));
    expect(failure).toMatchObject({ category: "validation", code: "arguments-too-large", evidence: { errno: "E2BIG" } });
  });
});

describe("denied tool calls", () => {
  const denied = { tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "touch pwned" } };
  const steps = [
    print(INIT),
    print(toolUse("t1", "Bash", { command: "touch pwned" })),
    print(resultLine("I could not do it.", { permission_denials: [denied] })),
  ];
  const listed = [{ id: "t1", name: "Bash", input: { command: "touch pwned" } }];

  test("R168 denied calls are listed with the answer, which stands as the CLI declared it", async () => {
    const result = await fakeClaude(steps).run({ mode: "agent" }).result();
    expect(result).toMatchObject({ text: "I could not do it.", finish: "stop", permissionDenials: listed });
  });

  test("R168 denied calls fail the run on request; the error lists them and keeps the text", async () => {
    const stream = fakeClaude(steps).run({ mode: "agent", onPermissionDenied: "error" });
    const error: unknown = await stream.result().catch((reason: unknown) => reason);
    if (!RunError.is(error)) throw new Error("the run did not fail");
    expect(error.failure).toMatchObject({ category: "permission", code: "tool-denied", partialText: "I could not do it." });
    expect(error.failure.message).toContain("Bash");
    expect(error.result.permissionDenials).toEqual(listed);
  });

  test("R168 denied calls of the real CLI, which calls such a run a success, are listed", () => {
    expect(resultOf("mcp-denied")).toMatchObject({ finish: "stop", permissionDenials: [{ name: "mcp__demo__add" }] });
  });
});

describe("MCP servers over HTTP and SSE", () => {
  test("R203 MCP servers over HTTP and SSE work headless with the version that was checked", () => {
    for (const name of ["mcp-http", "mcp-sse"]) {
      expect(resultOf(name).toolCalls, name).toMatchObject([{ name: "mcp__demo__add", output: "42", isError: false }]);
    }
  });

  test("R203 an MCP server that never answers is named in a warning, and the run goes on", () => {
    const warning = { code: "mcp-server-unavailable", message: 'MCP server "demo" is pending.' };
    expect(resultOf("mcp-http-hang")).toMatchObject({ finish: "stop", warnings: [warning] });
    expect(eventsIn("mcp-http-hang").findIndex(({ type }) => type === "warning")).toBe(2);
  });

  test("R203 a CLI held up by an MCP server is ended by the idle clock, after the warning", async () => {
    const servers = [{ name: "notes", status: "pending" }];
    const fake = fakeClaude([print({ ...INIT, mcp_servers: servers }), { do: "read", what: "all" }]);
    const run = await finishRun(fake.run({ timeouts: { idleMs: 2_000 } }));
    expect(eventsOf(run.events, "warning")).toMatchObject([{ message: 'MCP server "notes" is pending.' }]);
    await expectFailure(run, "timeout", "idle-timeout");
  });

  test("R203 a timeout before the first answer names the MCP servers of the request, and no timeout after it", async () => {
    const mcpServers = { notes: { type: "http", url: "http://127.0.0.1:9/mcp" } } as const;
    const silent = { do: "read", what: "all" } as const;
    const ask = (...steps: Parameters<typeof fakeClaude>[0]) =>
      finishRun(fakeClaude([print(INIT), ...steps, silent]).run({ mode: "agent", mcpServers, timeouts: { idleMs: 2_000 } }));
    const message = "Claude Code was silent after 2 s.";
    const { failure } = (await ask()).end;
    expect(failure).toMatchObject({ message: `${message} It may be waiting for the MCP server notes.` });
    expect(failure?.hint).toContain("notes");
    expect((await ask(print(toolUse("t1", "Bash", { command: "ls" })))).end.failure?.message).toBe(message);
  });
});

async function startFailure(path: string): Promise<Failure> {
  const client = createClient({ policies: false, binaries: { claude: path }, env: openTestScope().env });
  return await failureOf(client.run("claude", { prompt: "Hi" }));
}
