// Anthropic's own client with an AI CLI as its model: a gateway in this process answers it, and the answer streams.
// Usage: gateway-anthropic.ts [provider[/model]]
import { randomBytes } from "node:crypto";
import Anthropic from "@anthropic-ai/sdk";
import { createClient } from "coxswain";
import { serveGateway } from "coxswain/gateway";

const client = createClient();
const token = randomBytes(24).toString("base64url");
const gateway = await serveGateway({ client, token, port: 0 });
const anthropic = new Anthropic({ baseURL: gateway.url, apiKey: token });

try {
  const stream = anthropic.messages.stream({
    model: process.argv[2] ?? "claude",
    max_tokens: 1000,
    messages: [{ role: "user", content: "Why is the sky blue? Two sentences." }],
  });
  stream.on("text", (text) => process.stdout.write(text));
  const { stop_reason } = await stream.finalMessage();
  console.log(`\n${stop_reason}`);
} catch (error) {
  if (!(error instanceof Anthropic.APIError)) throw error;
  const answered = error.error as Anthropic.ErrorResponse | undefined;
  console.error(answered?.error.message ?? error.message);
  process.exitCode = 1;
} finally {
  await gateway.close();
  await client.close();
}
