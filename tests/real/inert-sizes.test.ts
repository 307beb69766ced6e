import { describe, expect, it } from "vitest";
import { type DeepCliName, prepareRealCli } from "../support/real-clis/real-cli.ts";
import { expectPureRequest } from "./pure-request.ts";

const MIB = 1024 * 1024;

const SIZES: readonly (readonly [DeepCliName, string, () => string])[] = [
  ["claude", "1 byte", () => "a"],
  ["claude", "200 KB", () => ascii(200_000)],
  ["claude", "5 MB", () => ascii(5_000_000)],
  ["claude", "as much as is allowed", () => ascii(10 * MIB)],
  ["claude", "as much as is allowed of what JSON escapes", () => '"'.repeat(10 * MIB)],
  ["claude", "5 MB of characters of one to four bytes", () => mixed(5_000_000)],
  ["codex", "1 byte", () => "a"],
  ["codex", "200 KB", () => ascii(200_000)],
  ["codex", "as many characters as are allowed", () => ascii(MIB)],
  ["codex", "as many characters as are allowed, of four bytes each", () => "\u{1f308}".repeat(MIB)],
  ["codex", "as many characters as are allowed, of what JSON escapes", () => '"'.repeat(MIB)],
];

describe("a prompt of any allowed size arrives unchanged", () => {
  it.each(SIZES)("%s passes %s unchanged", async (name, _size, makePrompt) => {
    await using cli = await prepareRealCli(name);
    const prompt = makePrompt();
    const result = await cli.client.run(name, { prompt }).result();
    expect(result.text).toBe("Hello from the fake model.");
    expect(cli.api.modelRequests).toHaveLength(1);
    expectPureRequest(name, cli.api.modelRequests[0], { prompt });
  });
});

/** Numbered lines, so that a lost, doubled or moved piece is visible. */
function ascii(length: number): string {
  return Array.from({ length: Math.ceil(length / 10) }, (_, index) => `${index}\n`.padStart(10, "."))
    .join("")
    .slice(0, length);
}

function mixed(bytes: number): string {
  const line = "a\u00e9\u20ac\u{1f308}";
  return line.repeat(Math.floor(bytes / Buffer.byteLength(line)));
}
