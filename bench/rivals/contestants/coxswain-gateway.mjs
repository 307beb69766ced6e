import { openClient } from "./coxswain.mjs";

/** Coxswain's gateway through OpenAI's Chat Completions and `fetch()`; the server runs in the same process. */
export async function prepare(settings) {
  const { cli, workspace, model, dist } = settings;
  const { serveGateway } = await import(new URL("gateway/index.js", dist));
  const client = await openClient(settings);
  const gateway = await serveGateway({
    client,
    token: false,
    port: 0,
    agent: { directory: workspace, permissions: { mode: "bypass" } },
  });
  const url = `${gateway.url}/v1/chat/completions`;
  return {
    async ask({ variant, prompt, system }, signal, onText) {
      const messages = [...(variant === "pure" ? [{ role: "system", content: system }] : []), { role: "user", content: prompt }];
      const headers = { "content-type": "application/json", ...(variant === "agent" && { "x-coxswain-mode": "agent" }) };
      const body = JSON.stringify({ model: `${cli}/${model}`, stream: true, messages });
      const response = await fetch(url, { method: "POST", headers, body, signal });
      if (!response.ok) throw Object.assign(new Error((await response.json()).error.message), { status: response.status });
      return await readText(response.body, onText);
    },
    async close() {
      await gateway.close();
      await client.close();
    },
  };
}

/** The text of a stream of completion chunks. */
async function readText(body, onText) {
  let [rest, text] = ["", ""];
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + chunk).split("\n\n");
    rest = frames.pop();
    for (const frame of frames) {
      if (!frame.startsWith("data: {")) continue;
      const { error, choices: [choice] = [] } = JSON.parse(frame.slice("data: ".length));
      if (error !== undefined) throw new Error(error.message);
      if (typeof choice?.delta?.content !== "string" || choice.delta.content === "") continue;
      onText();
      text += choice.delta.content;
    }
  }
  return text;
}
