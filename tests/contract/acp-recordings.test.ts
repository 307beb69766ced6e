import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gemini } from "../../src/clis/gemini/provider.ts";
import { opencode } from "../../src/clis/opencode/provider.ts";
import { qwen } from "../../src/clis/qwen/provider.ts";
import { acpWire, type JsonObject, type Provider, withSpawn } from "../../src/provider.ts";
import { providerContract, readRecordedCase, replayRecording } from "../../src/testing/index.ts";

const FOLDER = join(import.meta.dirname, "acp-recordings");

/** OpenCode as somebody outside of the package would add it, whose agent numbers its requests from zero. */
const outsider: Provider = withSpawn(opencode, {
  wire: acpWire({ loads: true, countsOf: (result) => result["usage"] as JsonObject }),
});

describe.each([
  ["gemini", gemini],
  ["qwen", qwen],
  ["opencode", outsider],
] as const)("the contract judges recordings of the Agent Client Protocol: %s", (cli, provider) => {
  for (const { title, run } of providerContract(provider, { fixtures: join(FOLDER, cli) })) it(title, run);
});

describe("a recording of the Agent Client Protocol", () => {
  const { recording } = readRecordedCase(join(FOLDER, "opencode/session"));
  const finishes = (changed: Partial<typeof recording>): readonly unknown[] =>
    replayRecording(outsider, { ...recording, ...changed }).map((events) => events.findLast(({ type }) => type === "run-end"));

  it("that ends early has a run for each prompt that was sent, and those without an answer fail", () => {
    const stdout = recording.stdout.subarray(0, recording.stdout.byteLength / 2);
    const ends = finishes({ stdout, stderr: "", exitCode: 1 });
    expect(ends).toHaveLength(7);
    expect(ends[0]).toMatchObject({ finish: "stop" });
    expect(ends.at(-1)).toMatchObject({ finish: "error", failure: { code: "no-terminal-event" } });
  });

  it("without any output is a run that failed with its process", () => {
    const ends = finishes({ stdout: new Uint8Array(), stdin: "", stderr: "error: unknown command 'acp'", exitCode: 1 });
    expect(ends).toMatchObject([{ finish: "error" }]);
  });

  it("whose handshake or session was refused is a run that failed with the words of the agent", () => {
    const refused = (method: string): readonly unknown[] => {
      const sent = [
        { jsonrpc: "2.0", id: 7, method: "initialize", params: {} },
        { jsonrpc: "2.0", id: 8, method: "session/new", params: {} },
      ];
      const error = { code: -32000, message: "Authentication required" };
      const answers = sent.map(({ id, method: asked }) =>
        asked === method ? { jsonrpc: "2.0", id, error } : { jsonrpc: "2.0", id, result: { protocolVersion: 1 } },
      );
      const lines = (messages: readonly object[]): string => messages.map((message) => `${JSON.stringify(message)}\n`).join("");
      const count = method === "initialize" ? 1 : 2;
      const stdout = Buffer.from(lines(answers.slice(0, count)));
      return finishes({ stdin: lines(sent.slice(0, count)), stdout, stderr: "" });
    };
    for (const method of ["initialize", "session/new"])
      expect(refused(method)).toMatchObject([{ finish: "error", failure: { code: "not-logged-in" } }]);
  });

  it("cannot be read without what was sent", () => {
    const { stdin: _, ...answers } = recording;
    expect(() => replayRecording(outsider, answers)).toThrow("needs what was sent to the CLI");
    expect(() => replayRecording(opencode, { ...recording, transport: "resident" })).toThrow("has no resident transport");
  });
});
