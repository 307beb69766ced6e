/** @openai/codex-sdk: `runStreamed()`, read event by event. */
export async function prepare({ load, command, workspace, model, codexSettings }) {
  const { Codex } = await (await import(load)).load("@openai/codex-sdk");
  return {
    async ask({ variant, prompt }, signal, onText) {
      const codex = new Codex({ codexPathOverride: command, configOverrides: codexSettings[variant] });
      const thread = codex.startThread({ model, workingDirectory: workspace, skipGitRepoCheck: true, ...toThread(variant) });
      const { events } = await thread.runStreamed(prompt, { signal });
      let text = "";
      for await (const event of events) {
        if (event.type === "turn.failed") throw new Error(event.error.message);
        if (event.type !== "item.completed" || event.item.type !== "agent_message") continue;
        onText();
        text = event.item.text;
      }
      return text;
    },
  };
}

function toThread(variant) {
  if (variant === "plain") return {};
  return variant === "agent" ? { sandboxMode: "danger-full-access", approvalPolicy: "never" } : { sandboxMode: "read-only" };
}
