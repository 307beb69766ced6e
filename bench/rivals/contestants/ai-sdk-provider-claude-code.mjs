import { readAiSdkStream } from "./ai-sdk-stream.mjs";
import { claudeOptions } from "./claude-agent-sdk.mjs";

/** ai-sdk-provider-claude-code through the AI SDK's `streamText()`. */
export async function prepare({ load: loader, command, workspace, model }) {
  const { load } = await import(loader);
  const { streamText } = await load("ai");
  const { createClaudeCode } = await load("ai-sdk-provider-claude-code");
  return {
    ask({ variant, prompt, system }, signal, onText) {
      const settings = { pathToClaudeCodeExecutable: command, cwd: workspace, logger: false, env: { ...process.env } };
      const provider = createClaudeCode({ defaultSettings: { ...settings, ...claudeOptions(variant, system) } });
      return readAiSdkStream(streamText, { model: provider(model), prompt, abortSignal: signal }, onText);
    },
  };
}
