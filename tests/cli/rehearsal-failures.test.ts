import { describe, expect, test } from "vitest";
import { dig, kindsOf, rehearse, startRehearsal, toLines, userLine } from "../support/cox/start-rehearsal.ts";

describe.concurrent("a rehearsed error of the service", () => {
  test.each([
    {
      model: "rate-limit",
      status: 429,
      word: "rate_limit",
      text: /429/,
      before: ["system:init", "system:status", "system:api_retry"],
    },
    {
      model: "quota",
      status: 400,
      word: "billing_error",
      text: /^Credit balance is too low$/,
      before: ["system:init", "system:status"],
    },
    {
      model: "usage-limit",
      status: 429,
      word: "rate_limit",
      text: /^You've hit your limit · resets (?:1[0-2]|[1-9])(?::[0-5]\d)?[ap]m \(UTC\)$/,
      before: ["system:init", "system:status"],
    },
    {
      model: "overloaded",
      status: 529,
      word: "server_error",
      text: /^API Error: 529 Overloaded\./,
      before: ["system:init", "system:status"],
    },
    {
      model: "not-logged-in",
      status: null,
      word: "authentication_failed",
      text: /^Not logged in · Please run \/login$/,
      before: ["system:init"],
    },
    {
      model: "no-such-model",
      status: 404,
      word: "model_not_found",
      text: /no-such-model/,
      before: ["system:init", "system:status"],
    },
  ])("$model is a synthetic message and a result that is an error", async ({ model, status, word, text, before }) => {
    const { lines, exitCode, stderr } = await rehearse("hi", "--model", model);
    expect(kindsOf(lines)).toEqual([...before, "assistant", "result"]);
    expect(lines.at(-2)).toMatchObject({ error: word, message: { model: "<synthetic>" } });
    expect(lines.at(-1)).toMatchObject({
      subtype: "success",
      is_error: true,
      api_error_status: status,
      result: expect.stringMatching(text),
    });
    expect(dig(lines.at(-2), "message", "content", 0, "text")).toBe(lines.at(-1)?.["result"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
  });

  test("rate-limit announces its one retry with status and delay", async () => {
    const { lines } = await rehearse("hi", "--model", "rate-limit");
    expect(lines.filter((line) => line["subtype"] === "api_retry")).toMatchObject([
      { attempt: 1, max_retries: 1, retry_delay_ms: expect.any(Number), error_status: 429, error: "rate_limit" },
    ]);
  });

  test("lets the conversation go on: the next line gets its own turn", async () => {
    const started = startRehearsal("--model", "quota");
    started.end(userLine("one") + userLine("two"));
    const lines = toLines((await started.ended).stdout);
    expect(lines.filter((line) => line["type"] === "result")).toHaveLength(2);
  });
});

describe.concurrent("a rehearsed end without a result", () => {
  test("crash streams half an answer, prints a stack trace on stderr and dies of SIGKILL", async () => {
    const { lines, exitCode, signal, stderr } = await rehearse("hi", "--model", "crash");
    const text = lines.flatMap((line) => dig(line, "event", "delta", "text") ?? []).join("");
    const death = process.platform === "win32" ? { exitCode: 9, signal: null } : { exitCode: null, signal: "SIGKILL" };
    expect({ exitCode, signal }).toEqual(death);
    expect(kindsOf(lines).at(-1)).toBe("stream:content_block_delta");
    expect(stderr).toMatch(/Error: rehearsed crash\n {4}at /);
    expect(text).toMatch(/^You asked: “hi”\. /);
    expect(text).not.toContain("account");
  });

  test("silent reads its prompt and prints nothing, not even after an interrupt", async () => {
    const started = startRehearsal("--model", "silent");
    const longerThanAnyPipe = userLine("x".repeat(4_000_000));
    await new Promise((resolve) => {
      started.child.stdin?.once("finish", resolve);
      started.end(longerThanAnyPipe);
    });
    const winner = await Promise.race([started.ended, new Promise((resolve) => setTimeout(resolve, 500, "still there"))]);
    expect(winner).toBe("still there");
    started.child.kill("SIGINT");
    expect(await started.ended).toMatchObject({ stdout: "", stderr: "", exitCode: 0 });
  });

  test("stubborn keeps printing after SIGINT, SIGTERM and EOF; only SIGKILL ends it", async () => {
    const started = startRehearsal("--model", "stubborn");
    started.end(userLine("hi"));
    await started.until((stdout) => stdout.includes("content_block_delta"));
    started.child.kill("SIGINT");
    started.child.kill("SIGTERM");
    const heard = started.stdout().length;
    await started.until((stdout) => stdout.slice(heard).split("content_block_delta").length > 3);
    started.child.kill("SIGKILL");
    expect(await started.ended).toMatchObject({ exitCode: null, signal: "SIGKILL" });
  });
});

describe.concurrent("an interrupted rehearsal", () => {
  test("ends by SIGINT with the text so far, a result that says aborted_streaming, and exit code 0", async () => {
    const started = startRehearsal("--model", "slow");
    started.write(userLine("hi"));
    await started.until((stdout) => stdout.split("content_block_delta").length > 2);
    started.child.kill("SIGINT");
    const { stdout, exitCode } = await started.ended;
    const lines = toLines(stdout);
    expect(kindsOf(lines).slice(-3)).toEqual(["assistant", "user", "result"]);
    expect(lines.at(-1)).toMatchObject({
      subtype: "error_during_execution",
      is_error: true,
      terminal_reason: "aborted_streaming",
    });
    expect(lines.at(-1)).not.toHaveProperty("result");
    expect(exitCode).toBe(0);
  });

  test("ends by SIGTERM with exit code 143 and no result", async () => {
    const started = startRehearsal("--model", "slow");
    started.write(userLine("hi"));
    await started.until((stdout) => stdout.includes("content_block_delta"));
    started.child.kill("SIGTERM");
    const { stdout, exitCode } = await started.ended;
    expect(stdout).not.toContain('"type":"result"');
    expect(exitCode).toBe(143);
  });

  test("lives on after an interrupt on stdin, and answers a control request it does not know with an error", async () => {
    const started = startRehearsal("--model", "slow");
    started.write(userLine("hi"));
    await started.until((stdout) => stdout.includes("content_block_delta"));
    started.write('{"type":"control_request","request_id":"a","request":{"subtype":"interrupt"}}\n');
    await started.until((stdout) => stdout.includes('"type":"result"'));
    started.end('{"type":"control_request","request_id":"b","request":{"subtype":"dance"}}\n');
    const { stdout } = await started.ended;
    const responses = toLines(stdout).filter((line) => line["type"] === "control_response");
    expect(responses).toMatchObject([
      { response: { subtype: "success", request_id: "a" } },
      { response: { subtype: "error", request_id: "b" } },
    ]);
  });
});
