import { connect } from "./json-rpc.mjs";

/** A CLI that speaks the Agent Client Protocol: one process, a new session for each call; the protocol has no system prompt. */
export async function prepareAcp({ launch }) {
  let heard = () => {};
  const agent = connect(launch, { jsonrpc: "2.0" }, (method, params) => heard(method, params));
  const clientCapabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };
  await agent.request("initialize", { protocolVersion: 1, clientCapabilities });
  return {
    async ask({ prompt }, _signal, onText) {
      const { sessionId } = await agent.request("session/new", { cwd: launch.cwd, mcpServers: [] });
      let text = "";
      heard = (method, params) => {
        if (method !== "session/update" || params.sessionId !== sessionId) return;
        if (params.update.sessionUpdate !== "agent_message_chunk") return;
        onText();
        text += params.update.content.text;
      };
      await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: prompt }] });
      return text;
    },
    close: () => agent.close(),
  };
}
