import { describe, expect, it } from "vitest";
import { modelRequestsOf } from "../support/real-clis/model-request.ts";
import { digestOf, toLargeText } from "./large-text.ts";
import { eventsOf, openRealCli } from "./open-real-cli.ts";

const MEBIBYTE = 1_048_576;

describe.each(["claude", "codex"] as const)("large texts of real %s", (name) => {
  it(`an answer of 5 MB of ${name} arrives unchanged`, async () => {
    const text = toLargeText(5 * MEBIBYTE);
    const cli = await openRealCli(name, { kind: "text", text });
    const run = await cli.run({ prompt: "Tell me everything." });
    const pieces = eventsOf(run, "text-delta").map((event) => event.text);
    expect([digestOf(run.result.text), digestOf(pieces.join(""))]).toEqual([digestOf(text), digestOf(text)]);
    expect(run.result.warnings).toEqual([]);
  });

  it(`a prompt of a million characters reaches the model of ${name} unchanged`, async () => {
    const prompt = toLargeText(MEBIBYTE);
    const cli = await openRealCli(name);
    const run = await cli.run({ prompt });
    expect(run.failure).toBeUndefined();
    expect(modelRequestsOf(cli)[0]?.user.map(digestOf)).toContain(digestOf(prompt));
  });

  it(`a prompt over the limit of ${name} is refused before a process is started`, async () => {
    const prompt = "x".repeat((name === "claude" ? 10 * MEBIBYTE : MEBIBYTE) + 1);
    const cli = await openRealCli(name);
    const run = await cli.run({ prompt });
    expect(run.failure).toMatchObject({ category: "validation", code: "prompt-too-large" });
    expect(run.events).toHaveLength(2);
    expect(cli.api.requests).toEqual([]);
  });
});
