import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type FakeToolCall, findRunProcesses } from "../../src/testing/index.ts";
import { agentRequest, agentTargetOf, DONE } from "../support/real-clis/agent-request.ts";
import type { CliName } from "../support/real-clis/real-cli.ts";
import { eventsOf, type OpenRealCli, openRealCli, type RealRun, untilLeft } from "./open-real-cli.ts";
import { SleepingTool } from "./sleeping-tool.ts";

const AGAIN = { kind: "text", text: "It is over." } as const;
const SHORT = "sleep 3; echo over > over.txt";

/** How the model of a CLI starts a background command. */
const STARTS: Readonly<Record<"codex" | "gemini" | "copilot" | "grok", (command: string) => FakeToolCall>> = {
  codex: (command) => ({ name: "exec_command", input: { cmd: command, yield_time_ms: 500 } }),
  gemini: (command) => ({ name: "run_shell_command", input: { command, is_background: true, description: "Waits." } }),
  copilot: (command) => ({ name: "bash", input: { command, mode: "async", description: "Waits." } }),
  grok: (command) => ({ name: "run_terminal_command", input: { command, background: true, description: "Waits." } }),
};

describe("a background command", () => {
  it.each(["codex", "gemini"] as const)(
    "%s ends its turn without waiting, and the command does not outlive the run",
    async (name) => {
      const tool = new SleepingTool();
      const { cli, run } = await runWith(name, STARTS[name](tool.command));
      expect(run.result).toMatchObject({ finish: "stop", text: "Done." });
      expect(eventsOf(run, "warning").filter(({ code }) => code === "background-unfinished")).toEqual([]);
      await cli.client.close();
      expect(tool.findAll(run.runId)).toEqual([]);
      expect(cli.api.modelRequests).toHaveLength(2);
    },
  );

  it("copilot waits for it and then takes another turn, whose answer is that of the run", async () => {
    const { cli, run } = await runWith("copilot", STARTS.copilot(SHORT));
    expect(run.result).toMatchObject({ finish: "stop", text: AGAIN.text });
    expect(existsSync(join(cli.workspace, "over.txt"))).toBe(true);
    expect(cli.api.modelRequests).toHaveLength(3);
    expect(eventsOf(run, "run-end")).toHaveLength(1);
  });

  it("the wait for copilot ends after backgroundMs; its last text is the answer, and no process is left", async () => {
    const tool = new SleepingTool();
    const { cli, run } = await runWith("copilot", STARTS.copilot(tool.command), { backgroundMs: 1000 });
    expect(run.result).toMatchObject({ finish: "stop", text: "Done." });
    expect(eventsOf(run, "warning").map(({ code }) => code)).toContain("background-unfinished");
    await cli.client.close();
    expect(tool.findAll(run.runId)).toEqual([]);
    expect(cli.api.modelRequests).toHaveLength(2);
  });

  it("grok waits for it before it ends its turn, and prints no more text", async () => {
    const { cli, run } = await runWith("grok", STARTS.grok(SHORT));
    expect(run.result).toMatchObject({ finish: "stop", text: "Done." });
    expect(existsSync(join(cli.workspace, "over.txt"))).toBe(true);
    expect(
      eventsOf(run, "text-delta")
        .map(({ text }) => text)
        .join(""),
    ).toBe("Done.");
    // At its exit Grok asks the model once more in some runs, and prints nothing of that.
    expect([2, 3]).toContain(cli.api.modelRequests.length);
  });
});

describe("a child that a plain shell left behind", () => {
  it.each(["gemini", "opencode"] as const)("%s waits for it within the tool call", async (name) => {
    const { cli, run } = await runWith(name, shellCallOf(name, `(${SHORT}) & echo started`));
    expect(run.result).toMatchObject({ finish: "stop", text: "Done." });
    expect(existsSync(join(cli.workspace, "over.txt"))).toBe(true);
  });

  it.each(["codex", "copilot", "grok"] as const)("%s does not wait for it, and it does not outlive the run", async (name) => {
    const tool = new SleepingTool();
    const { cli, run } = await runWith(name, shellCallOf(name, `${tool.command} & echo started`));
    expect(run.result).toMatchObject({ finish: "stop", text: "Done." });
    await cli.client.close();
    expect(findRunProcesses(run.runId)).toEqual([]);
    expect(tool.find()).toBeUndefined();
  });
});

function shellCallOf(name: "codex" | "copilot" | "gemini" | "grok" | "opencode", command: string): FakeToolCall {
  if (name === "codex") return { name: "exec_command", input: { cmd: command, yield_time_ms: 10_000 } };
  const tool = { copilot: "bash", gemini: "run_shell_command", grok: "run_terminal_command", opencode: "bash" }[name];
  return { name: tool, input: { command, description: "Leaves a child." } };
}

/** One run of an agent whose model makes this call, then ends its turn, and answers further requests with other text. */
async function runWith(
  name: CliName,
  call: FakeToolCall,
  timeouts: { readonly backgroundMs?: number } = {},
): Promise<{ readonly cli: OpenRealCli; readonly run: RealRun }> {
  const cli = await openRealCli(name, [{ kind: "tool-calls", calls: [call] }, DONE, AGAIN]);
  const request = agentRequest(cli, { permissions: { mode: "bypass" }, timeouts });
  const run = await cli.run(request, { target: agentTargetOf(name) });
  await untilLeft(run);
  return { cli, run };
}
