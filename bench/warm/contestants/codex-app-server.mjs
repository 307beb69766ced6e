import { readAiSdkStream } from "../../rivals/contestants/ai-sdk-stream.mjs";
import { moveCodexHome } from "./codex-home.mjs";

/** ai-sdk-provider-codex-cli in its app-server mode: one process, a new thread for each call. */
export async function prepare({ load: loader, command, workspace, model, system, codexSettings }) {
  const { load } = await import(loader);
  const { streamText } = await load("ai");
  const { createCodexAppServer } = await load("ai-sdk-provider-codex-cli");
  moveCodexHome(workspace, codexSettings);
  const common = { codexPath: command, cwd: workspace, logger: false, baseInstructions: system };
  const provider = createCodexAppServer({
    defaultSettings: { ...common, approvalPolicy: "never", sandboxPolicy: "read-only" },
  });
  return {
    ask: ({ prompt }, abortSignal, onText) =>
      readAiSdkStream(streamText, { model: provider(model), prompt, abortSignal }, onText),
    close: () => provider.close(),
  };
}
