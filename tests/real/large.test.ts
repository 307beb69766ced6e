import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { modelRequestsOf } from "./model-request.ts";
import { eventsOf, openRealCli } from "./open-real-cli.ts";

const MEBIBYTE = 1_048_576;

describe.each(["claude", "codex"] as const)("what is large for real %s", (name) => {
  it(`an answer of 5 MB comes through ${name} whole and identical`, async () => {
    const text = toText(5 * MEBIBYTE);
    const cli = await openRealCli(name, { kind: "text", text });
    const run = await cli.run({ prompt: "Tell me everything." });
    const pieces = eventsOf(run, "text-delta").map((event) => event.text);
    expect([digest(run.result.text), digest(pieces.join(""))]).toEqual([digest(text), digest(text)]);
    expect(run.result.warnings).toEqual([]);
  });

  it(`a prompt of a million characters reaches the model through ${name} whole`, async () => {
    const prompt = toText(MEBIBYTE);
    const cli = await openRealCli(name);
    const run = await cli.run({ prompt });
    expect(run.failure).toBeUndefined();
    expect(modelRequestsOf(cli)[0]?.user.map(digest)).toContain(digest(prompt));
  });

  it(`a prompt over the limit of ${name} is refused before anything is started`, async () => {
    const prompt = "x".repeat((name === "claude" ? 10 * MEBIBYTE : MEBIBYTE) + 1);
    const cli = await openRealCli(name);
    const run = await cli.run({ prompt });
    expect(run.failure).toMatchObject({ category: "validation", code: "prompt-too-large" });
    expect(run.events).toHaveLength(2);
    expect(cli.api.requests).toEqual([]);
  });
});

/** Lines that differ, with characters of one to four bytes, this many characters in all. */
function toText(length: number): string {
  const lines = Array.from({ length: Math.ceil(length / 20) }, (_, line) => `${line}: ä 漢 🙂 "quoted" \\n\n`);
  return [...lines.join("")].slice(0, length).join("");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
