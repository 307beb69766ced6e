import { HumanMessage } from "@langchain/core/messages";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createClaudeCliProvider, createCodexCliProvider } from "../../src/adapters/langchain/index.ts";
import type { FakeStep } from "../../src/testing/index.ts";
import { print, resultLine } from "../support/clis/fake-claude.ts";
import { CLI_NAMES, stageCli } from "./adapter-cli.ts";
import { failureOf } from "./adapter-tools.ts";

const secret = "the-prompt-is-nobody-elses-business";
const question = [new HumanMessage(`Hi, ${secret}`)];
const readLine: FakeStep = { do: "read", what: "line" };
const hang: readonly FakeStep[] = [
  { do: "read", what: "all" },
  { do: "wait", ms: 600_000 },
];
const TEN_MIB = 10 * 1024 * 1024;
const realSetTimeout = globalThis.setTimeout;

afterEach(() => {
  vi.useRealTimers();
});

describe("a CLI that fails", () => {
  test.for(CLI_NAMES)("R43 R62 R9 %s that exits with an error rejects with its message, exit code and stderr", async (name) => {
    const steps: readonly FakeStep[] = [readLine, { do: "write", text: "disk is full\n", to: "stderr" }, { do: "exit", code: 1 }];
    const call = stageCli(name, steps).adapter().invoke(question);
    await expect(call).rejects.toThrow("disk is full");
    const { evidence } = await failureOf(call);
    expect(evidence).toMatchObject({ exitCode: 1, stderrTail: expect.stringContaining("disk is full") });
  });

  test.for(CLI_NAMES)("R43 R62 R9 %s that a signal ends rejects with the signal", async (name) => {
    const failure = await failureOf(
      stageCli(name, [readLine, { do: "die", signal: "SIGKILL" }])
        .adapter()
        .invoke(question),
    );
    expect(failure).toMatchObject({ category: "unknown", code: "crashed", evidence: { signal: "SIGKILL" } });
  });

  test("R43 what Claude itself reports as an error rejects with its words and its kind", async () => {
    const report = resultLine("Invalid API key · Please run /login", { is_error: true, api_error_status: 401 });
    const call = stageCli("claude", [readLine, print(report), { do: "exit", code: 1 }])
      .adapter()
      .invoke(question);
    await expect(call).rejects.toThrow("Invalid API key");
    expect(await failureOf(call)).toMatchObject({ category: "authentication", code: "not-logged-in" });
  });

  test("R62 what Codex itself reports as an error rejects with its words", async () => {
    const failed = print({
      type: "turn.failed",
      error: { message: "stream disconnected before completion: the moon fell down" },
    });
    const steps: readonly FakeStep[] = [
      { do: "read", what: "all" },
      print({ type: "turn.started" }),
      failed,
      { do: "exit", code: 1 },
    ];
    await expect(stageCli("codex", steps).adapter().invoke(question)).rejects.toThrow("the moon fell down");
  });

  test.for([
    { name: "claude", create: createClaudeCliProvider },
    { name: "codex", create: createCodexCliProvider },
  ] as const)(
    "R62 R43 $name that is not installed rejects as not found, names the file and how to install it",
    async ({ name, create }) => {
      const cliPath = `/no/such/folder/${name}`;
      const call = create({ cliPath }).invoke(question);
      await expect(call).rejects.toThrow(cliPath);
      const failure = await failureOf(call);
      expect(failure).toMatchObject({ category: "not_found", code: "cli-missing", evidence: { errno: "ENOENT" } });
      expect(failure.fixCommand).toMatch(/^npm install -g /);
    },
  );

  test.for(CLI_NAMES)("R43 R62 the error of %s does not repeat the prompt", async (name) => {
    const failure = await failureOf(
      stageCli(name, [readLine, { do: "exit", code: 1 }])
        .adapter()
        .invoke(question),
    );
    expect(JSON.stringify(failure)).not.toContain(secret);
  });
});

describe("limits", () => {
  test.for(CLI_NAMES)("R30 R53 %s is ended when the timeout is over, and the error names the time", async (name) => {
    const call = stageCli(name, hang).adapter({ timeout: 1_234 }).invoke(question);
    await expect(call).rejects.toThrow("1.234 s");
    expect(await failureOf(call)).toMatchObject({ category: "timeout", code: "total-timeout" });
  });

  test.for(CLI_NAMES)("R30 R53 without a timeout %s has 120 seconds, and not a millisecond more", async (name) => {
    const cli = stageCli(name, hang);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let isOver = false;
    const failure = failureOf(cli.adapter().invoke(question)).finally(() => (isOver = true));
    while (cli.starts() === 0) await new Promise((resolve) => realSetTimeout(resolve, 20));
    await vi.advanceTimersByTimeAsync(119_999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await failure).toMatchObject({ code: "total-timeout", message: expect.stringContaining("120 s") });
  });

  test("R31 maxBuffer limits the length of a line; a longer one fails the call", async () => {
    const cli = stageCli("claude", [readLine, print(resultLine("x".repeat(3_000)))]);
    expect(await failureOf(cli.adapter({ maxBuffer: 2_000 }).invoke(question))).toMatchObject({ category: "invalid_response" });
    expect((await cli.adapter({ maxBuffer: 4_000 }).invoke(question)).content).toHaveLength(3_000);
  });

  test("R31 maxBuffer does not bound the whole stream, which may be long while nothing is wrong", async () => {
    const piece = print({ type: "system", subtype: "status", status: "y".repeat(1_000), session_id: "fake" });
    const cli = stageCli("claude", [readLine, ...Array.from({ length: 8 }, () => piece), print(resultLine("Done."))]);
    expect((await cli.adapter({ maxBuffer: 2_000 }).invoke(question)).content).toBe("Done.");
  });

  test("R31 without maxBuffer a line of Claude may have 10 MiB and no more", async () => {
    const fits = stageCli("claude", [readLine, print(resultLine("z".repeat(TEN_MIB - 1_000)))]);
    expect((await fits.adapter().invoke(question)).content).toHaveLength(TEN_MIB - 1_000);
    const tooLong = stageCli("claude", [readLine, print(resultLine("z".repeat(TEN_MIB)))]);
    expect(await failureOf(tooLong.adapter().invoke(question))).toMatchObject({ category: "invalid_response" });
  });

  test("R53 without maxBuffer a line of Codex may have 10 MiB and no more; an answer that was dropped is not an empty one", async () => {
    const steps = (length: number): readonly FakeStep[] => [
      { do: "read", what: "all" },
      print({ type: "item.completed", item: { id: "item_0", type: "agent_message", text: "z".repeat(length) } }),
      print({ type: "turn.completed", usage: { input_tokens: 1, output_tokens: 1 } }),
    ];
    const fits = stageCli("codex", steps(TEN_MIB - 1_000));
    expect((await fits.adapter().invoke(question)).content).toHaveLength(TEN_MIB - 1_000);
    const tooLong = stageCli("codex", steps(TEN_MIB));
    expect(await failureOf(tooLong.adapter().invoke(question))).toMatchObject({ category: "invalid_response" });
  });
});
