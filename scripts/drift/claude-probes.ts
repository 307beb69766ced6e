import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FakeAnswers, FakeApiRequest } from "../../src/testing/index.ts";
import { readModelRequest } from "../../tests/support/real-clis/model-request.ts";
import type { Probe } from "./probe.ts";
import { agent, DONE } from "./probe-runs.ts";

const MAIN = "MAIN-PROMPT";
const SUB = "SUB-PROMPT";

/** Probes of Claude Code alone: background work, sub-agents, hooks. */
export function claudeProbes(): readonly Probe[] {
  return [
    { name: "command in the background", answers: inBackground(), runs: [agent()] },
    { name: "sub-agent", answers: bySubAgent(false), runs: [agent({ prompt: MAIN })] },
    { name: "sub-agent in the background", answers: bySubAgent(true), runs: [agent({ prompt: MAIN })] },
    {
      name: "hooks",
      answers: [
        { kind: "tool-calls", calls: [{ name: "Bash", input: { command: "echo printed", description: "Prints" } }] },
        DONE,
      ],
      runs: [agent()],
      prepare: ({ workspace }) => {
        const run = [{ hooks: [{ type: "command", command: "echo hooked" }] }];
        const hooks = { SessionStart: run, UserPromptSubmit: run, PreToolUse: [{ matcher: "Bash", ...run[0] }], Stop: run };
        mkdirSync(join(workspace, ".claude"));
        writeFileSync(join(workspace, ".claude/settings.json"), JSON.stringify({ hooks }));
      },
    },
  ];
}

function inBackground(): FakeAnswers {
  const input = { command: "node -e 'setTimeout(() => {}, 500)'; echo bg-done", description: "Waits", run_in_background: true };
  return [
    { kind: "tool-calls", calls: [{ name: "Bash", input }] },
    { kind: "text", text: "It has begun." },
    { kind: "text", text: "It is done." },
  ];
}

/** The tool has two names, by version. */
function bySubAgent(isBackground: boolean): FakeAnswers {
  let asked = 0;
  return (request: FakeApiRequest) => {
    const { user, tools } = readModelRequest(request);
    if (!user.some((text) => text.includes(MAIN))) return { kind: "text", text: "The sub-agent has looked." };
    asked += 1;
    if (asked > 1) return { kind: "text", text: asked === 2 ? "First answer." : "Second answer." };
    const input = {
      description: "Looks",
      prompt: SUB,
      subagent_type: "general-purpose",
      ...(isBackground && { run_in_background: true }),
    };
    return { kind: "tool-calls", calls: [{ name: tools.includes("Agent") ? "Agent" : "Task", input }] };
  };
}
