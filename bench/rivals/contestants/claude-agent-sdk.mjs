/** @anthropic-ai/claude-agent-sdk: `query()`, partial messages on, read message by message. */
export async function prepare({ load, command, workspace, model }) {
  const { query } = await (await import(load)).load("@anthropic-ai/claude-agent-sdk");
  return {
    async ask({ variant, prompt, system }, signal, onText) {
      const abortController = new AbortController();
      signal.addEventListener("abort", () => abortController.abort(), { once: true });
      const common = {
        pathToClaudeCodeExecutable: command,
        model,
        cwd: workspace,
        abortController,
        includePartialMessages: true,
      };
      let text = "";
      for await (const message of query({ prompt, options: { ...common, ...claudeOptions(variant, system) } })) {
        if (message.type === "stream_event" && message.event.delta?.type === "text_delta") onText();
        if (message.type === "result") text = message.result;
      }
      return text;
    },
  };
}

/** The flags of Coxswain's own launch, as options of the SDK. */
export function claudeOptions(variant, system) {
  if (variant === "plain") return {};
  if (variant === "agent") return { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true };
  return {
    systemPrompt: system,
    tools: [],
    settingSources: [],
    strictMcpConfig: true,
    persistSession: false,
    extraArgs: { "disable-slash-commands": null },
  };
}
