import { readAiSdkStream } from "./ai-sdk-stream.mjs";
import { openClient } from "./coxswain.mjs";

/** Coxswain's provider for the AI SDK through `streamText()`. */
export async function prepare(settings) {
  const { cli, workspace, model, dist, load: loader } = settings;
  const { load } = await import(loader);
  const { streamText } = await load("ai");
  const { createCoxswain } = await import(new URL("adapters/ai-sdk/index.js", dist));
  const client = await openClient(settings);
  const cox = createCoxswain({ client });
  const agent = { mode: "agent", cwd: workspace, permissions: { mode: "bypass" } };
  return {
    ask({ variant, prompt, system }, signal, onText) {
      const options = { model: cox(`${cli}/${model}`), prompt, abortSignal: signal };
      if (variant === "agent") Object.assign(options, { providerOptions: { coxswain: agent } });
      else if (variant === "pure") Object.assign(options, { system });
      return readAiSdkStream(streamText, options, onText);
    },
    close: () => client.close(),
  };
}
