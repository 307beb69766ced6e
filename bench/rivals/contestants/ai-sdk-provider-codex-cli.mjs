import { readAiSdkStream } from "./ai-sdk-stream.mjs";

/** ai-sdk-provider-codex-cli in its exec mode through the AI SDK's `streamText()`. */
export async function prepare({ load: loader, command, workspace, model, codexSettings }) {
  const { load } = await import(loader);
  const { streamText } = await load("ai");
  const { createCodexExec } = await load("ai-sdk-provider-codex-cli");
  return {
    ask({ variant, prompt }, signal, onText) {
      const configOverrides = Object.fromEntries(codexSettings[variant].map(splitSetting));
      const settings = { codexPath: command, cwd: workspace, logger: false, configOverrides, ...toSettings(variant) };
      const provider = createCodexExec({ defaultSettings: settings });
      return readAiSdkStream(streamText, { model: provider(model), prompt, abortSignal: signal }, onText);
    },
  };
}

function splitSetting(setting) {
  const at = setting.indexOf("=");
  return [setting.slice(0, at), setting.slice(at + 1)];
}

function toSettings(variant) {
  if (variant === "plain") return {};
  return variant === "agent"
    ? { dangerouslyBypassApprovalsAndSandbox: true }
    : { sandboxMode: "read-only", approvalMode: "never" };
}
