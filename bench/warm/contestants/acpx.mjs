import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { moveCodexHome } from "./codex-home.mjs";

/** The programs with which acpx reaches CLIs that do not speak its protocol. */
const ADAPTERS = { claude: "@agentclientprotocol/claude-agent-acp", codex: "@agentclientprotocol/codex-acp" };

/** acpx: its runtime with one persistent session, so that every call continues the same conversation. */
export async function prepare({ load, cli, command, launch, workspace, codexSettings }) {
  if (cli === "codex") moveCodexHome(workspace, codexSettings);
  const { createAcpRuntime, createFileSessionStore } = await (await import(load)).load("acpx/runtime");
  const argv = ADAPTERS[cli] === undefined ? [launch.command, ...launch.args] : adapterCommand(load, ADAPTERS[cli]);
  const own = { CLAUDE_CODE_EXECUTABLE: command, CODEX_PATH: command };
  const runtime = createAcpRuntime({
    cwd: workspace,
    agentProcessEnv: own,
    sessionStore: createFileSessionStore({ stateDir: join(workspace, "../acpx") }),
    agentRegistry: { resolve: () => argv, list: () => [cli] },
    permissionMode: "deny-all",
  });
  const handle = await runtime.ensureSession({ sessionKey: "bench", agent: cli, mode: "persistent", cwd: workspace });
  let calls = 0;
  return {
    async ask({ prompt }, _signal, onText) {
      calls += 1;
      const turn = runtime.startTurn({ handle, text: prompt, mode: "prompt", requestId: `call-${calls}` });
      let text = "";
      for await (const event of turn.events) {
        if (event.type !== "text_delta" || event.stream === "thought") continue;
        onText();
        text += event.text;
      }
      const { status, error } = await turn.result;
      if (status !== "completed") throw new Error(error?.message ?? status);
      return text;
    },
    close: () => runtime.close({ handle, reason: "the bench has ended" }),
  };
}

function adapterCommand(load, name) {
  return [process.execPath, join(fileURLToPath(load), "../node_modules", name, "dist/index.js")];
}
