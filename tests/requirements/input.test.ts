import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { claude } from "../../src/clis/claude/provider.ts";
import { claudeStream } from "../../src/dialects/claude/claude-stream.ts";
import { withSpawn } from "../../src/spec/provider/provider.ts";
import { CLOSE_INPUT, withInput } from "../../src/spec/wire/define-wire.ts";
import { fakeClaude, INIT, print, resultLine, streamed } from "../support/clis/fake-claude.ts";
import { processesOfRun } from "../support/processes/process-scan.ts";
import { finishRun } from "../support/runs/read-run.ts";
import { expectAnswer } from "../support/runs/run-expectations.ts";
import { installClaude } from "./claude-on-path.ts";

const SESSION = "11111111-1111-4111-8111-111111111111";

describe("the prompt", () => {
  test("R74 the prompt arrives on stdin, which is closed at once for a provider that wants it so", async () => {
    const fake = fakeClaude([{ do: "read", what: "all" }, print(resultLine("Read to the end."))], {
      transports: withSpawn(claude, {
        launch: () => ({ args: [] }),
        wire: withInput(claudeStream, ({ prompt }) => [{ text: prompt }, CLOSE_INPUT]),
      }).transports,
    });
    await expectAnswer(await finishRun(fake.run({ prompt: "Grüße\n- second line" })), "Read to the end.");
    expect(await fake.calls()).toMatchObject([{ argv: [], stdin: "Grüße\n- second line" }]);
  });

  test("R74 the prompt arrives on Claude's stdin, which stays open for answers and is closed after the terminal event", async () => {
    // The program ends by itself only at EOF of stdin; a signal would end it before it records the start.
    const fake = fakeClaude([{ do: "read", what: "line" }, print(resultLine("Done.")), { do: "read", what: "all" }]);
    await expectAnswer(await finishRun(fake.run({ prompt: "Hi" })), "Done.");
    const [call] = await fake.calls();
    expect(JSON.parse(call?.stdin ?? "")).toMatchObject({ message: { content: [{ text: "Hi" }, {}] } });
  });

  test.for([
    { name: "a first turn", session: undefined },
    { name: "a later turn", session: { resume: SESSION } },
  ])("R178 $name sends its own message and no other", async ({ session }) => {
    const answer = print(resultLine("Done.", { session_id: SESSION }));
    const fake = fakeClaude([{ do: "read", what: "line" }, answer, { do: "read", what: "all" }]);
    await fake.run({ prompt: "And now?", ...(session !== undefined && { session }) }).result();
    const lines = (await fake.calls()).flatMap(({ stdin }) => stdin.split("\n").filter(Boolean));
    // A resumed session gets one control line before its message: otherwise claude 2.1.325 would keep its first system prompt.
    expect(lines.map((line) => JSON.parse(line)).filter(({ type }) => type !== "control_request")).toMatchObject([
      { type: "user", message: { role: "user", content: [{ type: "text", text: "And now?" }, {}] } },
    ]);
  });
});

describe("MCP servers", () => {
  const secret = "requirements-test-secret";
  const mcpServers = { notes: { type: "http", url: "https://notes.invalid/mcp", headers: { Authorization: secret } } } as const;

  test("R175 MCP servers reach the CLI as JSON in a private file that --mcp-config names, and in no argument", async () => {
    const seen = await installClaude().ask({ prompt: "Hi", mode: "agent", mcpServers });
    expect(JSON.parse(seen.files["--mcp-config"]?.content ?? "")).toEqual({ mcpServers });
    expect(seen.files["--mcp-config"]?.mode).toBe(0o600);
    expect(seen.argv.join(" ")).not.toContain(secret);
    expect(seen.argv).toContain("--strict-mcp-config");
  });

  test("R175 MCP servers are written down for each run anew and removed after it", async () => {
    const claude = installClaude();
    const first = await claude.ask({ prompt: "Hi", mcpServers });
    const second = await claude.ask({ prompt: "Hi", mcpServers: { clock: { command: "clock" } } });
    await claude.client.close();
    expect(JSON.parse(second.files["--mcp-config"]?.content ?? "")).toEqual({ mcpServers: { clock: { command: "clock" } } });
    expect([first, second].map(({ files }) => existsSync(files["--mcp-config"]?.path ?? "/"))).toEqual([false, false]);
  });
});

describe("the output", () => {
  test("R179 output is read as it arrives, while the program still runs", async () => {
    const piece = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "First word" } };
    const start = { type: "message_start", message: { id: "msg_1" } };
    const fake = fakeClaude([print(INIT), print(streamed(start)), print(streamed(piece)), { do: "read", what: "all" }]);
    let runId = "";
    for await (const event of fake.run()) {
      if (event.type === "run-start") runId = event.runId;
      if (event.type !== "text-delta") continue;
      expect(event.text).toBe("First word");
      expect(await processesOfRun(runId)).toHaveLength(1);
      return;
    }
    throw new Error("no text came before the end");
  });

  test("R179 a tool's start is reported before the program continues", async () => {
    const block = {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "t1", name: "Bash", input: {} },
    };
    const request = { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "t1" };
    const ask = { type: "control_request", request_id: "r1", request };
    const wait = { do: "read", what: "line" } as const;
    const fake = fakeClaude([wait, print(streamed(block)), print(ask), wait, print(resultLine("Done."))]);
    const started = Promise.withResolvers<void>();
    const onPermission = () => started.promise.then(() => ({ behavior: "allow" }) as const);
    const run = await finishRun(fake.run({ mode: "agent" }, { onPermission }), ({ type }) => {
      if (type === "tool-start") started.resolve();
    });
    await expectAnswer(run, "Done.");
  });
});
