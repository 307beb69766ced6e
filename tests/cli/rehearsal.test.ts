import { describe, expect, test } from "vitest";
import { dig, kindOf, kindsOf, rehearse, startRehearsal, toLines, userLine } from "../support/cox/start-rehearsal.ts";

const STREAMED_TEXT = [
  "system:init",
  "system:status",
  "stream:message_start",
  "stream:content_block_start",
  "stream:content_block_delta",
  "assistant",
  "stream:content_block_stop",
  "stream:message_delta",
  "stream:message_stop",
];

describe.concurrent("an answer of the rehearsal CLI", () => {
  test("comes in the order of the real CLI: init, deltas, the whole block, result", async () => {
    const { lines, exitCode, stderr } = await rehearse("What is a coxswain?");
    expect(kindsOf(lines)).toEqual([...STREAMED_TEXT, "result"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  });

  test("streams several deltas whose sum is the whole block and the result", async () => {
    const { lines } = await rehearse("What is a coxswain?");
    const deltas = lines.flatMap((line) => dig(line, "event", "delta", "text") ?? []);
    const block = lines.find((line) => line["type"] === "assistant");
    expect(deltas.length).toBeGreaterThan(5);
    expect(deltas.join("")).toBe(lines.at(-1)?.["result"]);
    expect(dig(block, "message", "content", 0, "text")).toBe(lines.at(-1)?.["result"]);
  });

  test("quotes the first sixty characters of the prompt and no more", async () => {
    const prompt = `${"é".repeat(60)}TAIL`;
    const { lines } = await rehearse(prompt);
    expect(lines.at(-1)?.["result"]).toContain(`“${"é".repeat(60)}…”`);
    expect(lines.at(-1)?.["result"]).not.toContain("TAIL");
  });

  test("does not depend on the prompt: names of scenarios in it are only quoted", async () => {
    const { lines } = await rehearse("/quota @crash --model tool");
    expect(lines.at(-1)).toMatchObject({ is_error: false, result: expect.stringContaining("“/quota @crash --model tool”") });
  });

  test("gives every line the session id and its own id, and counts four characters as a token", async () => {
    const sessionId = "5d6e3e0a-4b8e-4a52-9d0c-6c1d0b0f7a11";
    const { lines } = await rehearse("12345678", "--session-id", sessionId, "--system-prompt", "1234");
    expect(new Set(lines.map((line) => line["session_id"]))).toEqual(new Set([sessionId]));
    expect(new Set(lines.map((line) => line["uuid"])).size).toBe(lines.length);
    const said = String(lines.at(-1)?.["result"]).length;
    expect(lines.at(-1)).toMatchObject({
      usage: { input_tokens: 3, output_tokens: Math.ceil(said / 4) },
      total_cost_usd: 0,
      permission_denials: [],
      terminal_reason: "completed",
    });
  });

  test("ignores a trailing block that is blank and joins the others", async () => {
    const started = startRehearsal();
    const content = ["one", "two", " "].map((text) => ({ type: "text", text }));
    started.end(`${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`);
    expect(toLines((await started.ended).stdout).at(-1)?.["result"]).toContain("“one\ntwo”");
  });

  test("takes content that is a plain string, and a last line without a newline", async () => {
    const started = startRehearsal();
    started.end(JSON.stringify({ type: "user", message: { role: "user", content: "plain\u2028text" } }));
    expect(toLines((await started.ended).stdout).at(-1)?.["result"]).toContain("“plain\u2028text”");
  });
});

describe.concurrent("a conversation with the rehearsal CLI", () => {
  test("continues after a result until EOF", async () => {
    const started = startRehearsal();
    started.write(userLine("first"));
    await started.until((stdout) => stdout.includes('"type":"result"'));
    started.write('{"type":"keep_alive"}\n');
    started.end(userLine("second"));
    const { stdout, exitCode } = await started.ended;
    const lines = toLines(stdout);
    const results = lines.filter((line) => line["type"] === "result").map((line) => String(line["result"]));
    expect(results.map((result) => /“(.*)”/.exec(result)?.[1])).toEqual(["first", "second"]);
    expect(lines.filter((line) => kindOf(line) === "system:init")).toHaveLength(2);
    expect(exitCode).toBe(0);
  });

  test("ends at once with exit code 0 without a prompt", async () => {
    const started = startRehearsal();
    started.end();
    expect(await started.ended).toMatchObject({ stdout: "", stderr: "", exitCode: 0 });
  });

  test("ends with exit code 1 at a line that is not JSON", async () => {
    const started = startRehearsal();
    started.write("hello\n");
    expect(await started.ended).toMatchObject({
      stdout: "",
      stderr: expect.stringContaining("Error parsing streaming input line: hello"),
      exitCode: 1,
    });
  });

  test("lingers after its answer after EOF", async () => {
    const started = startRehearsal("--model", "linger");
    started.end(userLine("hi"));
    await started.until((stdout) => stdout.includes('"type":"result"'));
    const winner = await Promise.race([started.ended, new Promise((resolve) => setTimeout(resolve, 1000, "still there"))]);
    expect(winner).toBe("still there");
    started.child.kill("SIGTERM");
    await started.ended;
  });
});

describe.concurrent("the tool scenario", () => {
  test("announces the call, calls Clock, prints its result and answers in a second message", async () => {
    const { lines, exitCode } = await rehearse("What time is it?", "--model", "tool");
    const textBlock = ["stream:content_block_start", "stream:content_block_delta", "assistant", "stream:content_block_stop"];
    expect(kindsOf(lines)).toEqual([
      "system:init",
      "system:status",
      "stream:message_start",
      ...textBlock,
      ...textBlock,
      "stream:message_delta",
      "stream:message_stop",
      "user",
      ...STREAMED_TEXT.slice(1),
      "result",
    ]);
    const call = lines.filter((line) => line["type"] === "assistant")[1];
    const returned = lines.find((line) => line["type"] === "user");
    expect(dig(call, "message", "content", 0)).toMatchObject({ type: "tool_use", name: "Clock", input: { zone: "UTC" } });
    expect(dig(returned, "message", "content", 0, "tool_use_id")).toBe(dig(call, "message", "content", 0, "id"));
    expect(lines.at(-1)).toMatchObject({
      is_error: false,
      num_turns: 2,
      result: expect.stringMatching(/^It is \d\d:\d\d UTC\.$/),
    });
    expect(exitCode).toBe(0);
  });

  test("streams the input of the call in pieces of JSON text", async () => {
    const { lines } = await rehearse("What time is it?", "--model", "tool");
    const pieces = lines.flatMap((line) => dig(line, "event", "delta", "partial_json") ?? []);
    expect(pieces.length).toBeGreaterThan(1);
    expect(JSON.parse(pieces.join(""))).toEqual({ zone: "UTC" });
  });

  test.each([
    { behavior: "allow", isError: false, denials: 0 },
    { behavior: "deny", isError: true, denials: 1 },
  ])("asks the host for permission and follows the answer $behavior", async ({ behavior, isError, denials }) => {
    const started = startRehearsal("--model", "tool", "--permission-prompt-tool", "stdio");
    started.write(userLine("What time is it?"));
    await started.until((stdout) => stdout.includes('"can_use_tool"') && stdout.endsWith("\n"));
    const question = toLines(started.stdout()).find((line) => line["type"] === "control_request");
    const response = { behavior, message: "not today", updatedInput: {} };
    started.end(
      `${JSON.stringify({ type: "control_response", response: { subtype: "success", request_id: question?.["request_id"], response } })}\n`,
    );
    const lines = toLines((await started.ended).stdout);
    const returned = lines.find((line) => line["type"] === "user");
    expect(dig(question, "request")).toMatchObject({ tool_name: "Clock", input: { zone: "UTC" } });
    expect(dig(returned, "message", "content", 0, "is_error")).toBe(isError);
    expect(dig(lines.at(-1), "permission_denials")).toHaveLength(denials);
  });
});
