import { connect } from "./json-rpc.mjs";

/** Codex: one app-server, a new thread for each call. */
export async function prepareCodex({ launch, model }) {
  let heard = () => {};
  const server = connect(launch, {}, (method, params) => heard(method, params));
  await server.request("initialize", { clientInfo: { name: "bench", title: "bench", version: "1" }, capabilities: {} });
  server.notify("initialized");
  return {
    async ask({ prompt, system }, _signal, onText) {
      const settings = {
        cwd: launch.cwd,
        approvalPolicy: "never",
        sandbox: "read-only",
        ephemeral: true,
        baseInstructions: system,
      };
      const { thread } = await server.request("thread/start", { model, ...settings });
      let text = "";
      const ended = new Promise((resolve, reject) => {
        heard = (method, params) => {
          if (params?.threadId !== thread.id) return;
          if (method === "item/agentMessage/delta") {
            onText();
            text += params.delta;
          }
          if (method !== "turn/completed") return;
          if (params.turn.status === "completed") resolve(text);
          else reject(new Error(params.turn.error?.message ?? params.turn.status));
        };
      });
      await server.request("turn/start", { threadId: thread.id, input: [{ type: "text", text: prompt }] });
      return ended;
    },
    close: () => server.close(),
  };
}
