import { describe, expect, it } from "vitest";
import { prepareRealCli } from "./real-cli.ts";

describe.each(["claude", "codex"] as const)("real %s", (name) => {
  it(`${name} answers with the text of the model and its usage`, async () => {
    await using cli = await prepareRealCli(name, { kind: "text", text: "The sky is blue.", deltas: 4 });
    const result = await cli.client.run(name, { prompt: "Why is the sky blue?" }).result();
    expect(result).toMatchObject({ text: "The sky is blue.", finish: "stop", toolCalls: [], usage: { estimated: false, scope: "turn" } });
    expect(result.sessionId).toMatch(/^[0-9a-f-]{36}$/);
  });
});
