import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { FakeAnswer } from "../../src/testing/index.ts";
import { processesWith, untilGone } from "../support/processes/process-scan.ts";
import { openRealCli } from "./open-real-cli.ts";

const execute = promisify(execFile);

const CALL: FakeAnswer = { kind: "tool-calls", calls: [{ name: "get_weather", input: { city: "Oslo" } }] };
const UMBRELLA: FakeAnswer = { kind: "text", text: "Yes, take an umbrella: it is raining." };
const ADA = { name: "Ada Lovelace", born: 1815, knownFor: ["the first program", "notes"] };

describe("the examples on real claude", () => {
  it("the agent of the example gets the result of its tool, and its answer is printed", async () => {
    const { printed, requests } = await runExample("langchain-agent", [CALL, UMBRELLA]);
    expect(printed).toEqual([
      "human: Do I need an umbrella in Oslo today?",
      "→ get_weather: It is 7 °C and raining in Oslo.",
      "ai: Yes, take an umbrella: it is raining.",
    ]);
    expect(requests).toHaveLength(2);
    for (const request of requests) expect(request).toContain("You help people dress for the weather.");
    expect(requests[0]).not.toContain("7 °C");
    expect(requests[1]).toContain("It is 7 °C and raining in Oslo.");
  });

  it("the loop without a framework sends the result back, and the answer is printed", async () => {
    const { printed, requests } = await runExample("host-tools", [CALL, UMBRELLA]);
    expect(printed).toEqual(["→ get_weather: It is 7 °C and raining in Oslo.", "Yes, take an umbrella: it is raining."]);
    expect(requests).toHaveLength(2);
    expect(requests[1]).toContain("It is 7 °C and raining in Oslo.");
  });

  it("the structured answer of the example is the model's object", async () => {
    const { printed } = await runExample("langchain-structured-output", [
      { kind: "tool-calls", calls: [{ name: "StructuredOutput", input: ADA }] },
    ]);
    expect(printed).toEqual(["Ada Lovelace, born 1815, known for the first program and notes"]);
  });

  it("the streamed answer of the example is the model's text", async () => {
    const text = "Air scatters short waves.\nSo the sky is blue.";
    const { printed, requests } = await runExample("langchain-streaming", [{ kind: "text", text }]);
    expect(printed.join("\n")).toBe(text);
    expect(requests).toEqual([expect.stringContaining("Why is the sky blue? Two sentences.")]);
  });
});

/** Runs an example as a user does, with `claude`; returns its output lines and the requests that reached the model. */
async function runExample(
  name: string,
  answers: readonly FakeAnswer[],
): Promise<{ readonly printed: readonly string[]; readonly requests: readonly string[] }> {
  const cli = await openRealCli("claude", answers);
  const path = join(import.meta.dirname, `../../examples/${name}.ts`);
  const { stdout, stderr } = await execute(process.execPath, ["--conditions=coxswain-source", path], { env: cli.env });
  expect(stderr).toBe("");
  await untilGone(() => processesWith("HOME", cli.home));
  return {
    printed: stdout.trimEnd().split("\n"),
    requests: cli.api.modelRequests.map((request) => request.rawBody),
  };
}
