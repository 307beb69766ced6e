import { stripVTControlCharacters } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { coxWith } from "../support/cox/start-cox.ts";
import type { Started } from "../support/cox/start-program.ts";
import { startInTerminal } from "../support/cox/start-terminal.ts";
import { openTestScope } from "../support/test-scope.ts";

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const UP = "\u001b[A";

/** Starts `cox chat` on the rehearsal CLI in a terminal with a state directory of its own. */
function startChat(...args: readonly string[]): Started & { asked(times: number): Promise<void> } {
  return startChatAt(80, ...args);
}

function startChatAt(columns: number, ...args: readonly string[]): Started & { asked(times: number): Promise<void> } {
  const { env, directory } = openTestScope();
  const chat = startInTerminal(["chat", "--provider", "rehearsal", "--raw", "--quiet", ...args], {
    env,
    cwd: directory,
    columns,
  });
  onTestFinished(() => {
    chat.child.kill("SIGKILL");
  });
  // Before each message the line editor switches to the mode in which a terminal marks what is pasted.
  const count = (stdout: string): number => stdout.split("\u001b[?2004h").length - 1;
  return { ...chat, asked: (times) => chat.until((stdout) => count(stdout) >= times) };
}

/** Leaves the chat at its next prompt. */
async function leave(chat: ReturnType<typeof startChat>, prompts: number): Promise<string> {
  await chat.asked(prompts);
  chat.write(CTRL_D);
  const { exitCode, stdout } = await chat.ended;
  expect(exitCode).toBe(0);
  return stdout;
}

describe("cox chat at a terminal", () => {
  test("sends each line, remembers the turns, and Ctrl-D leaves", async () => {
    const chat = startChat();
    await chat.asked(1);
    chat.write("one\r");
    await chat.asked(2);
    chat.write("two\r");
    const stdout = await leave(chat, 3);
    expect(stdout).toContain("You asked: “one”");
    expect(stdout).toContain("the one before was: one");
  });

  test("answers each of several lines that were typed ahead, and keeps the line that is not complete", async () => {
    const chat = startChat();
    await chat.asked(1);
    chat.write("one\rtwo\rthree\rfo");
    await chat.asked(4);
    chat.write("ur\r");
    const stdout = await leave(chat, 5);
    for (const [before, after] of [
      ["one", "two"],
      ["two", "three"],
      ["three", "four"],
    ]) {
      expect(stdout).toContain(`You asked: “${after}”`);
      expect(stdout).toContain(`the one before was: ${before}`);
    }
  });

  test("Ctrl-C stops the answer and not the chat", async () => {
    const chat = startChat("--model", "slow");
    await chat.asked(1);
    chat.write("one\r");
    await chat.until((stdout) => stdout.includes("You asked"));
    chat.write(CTRL_C);
    await chat.asked(2);
    chat.write("/model friendly\r");
    await chat.asked(3);
    chat.write("two\r");
    const stdout = await leave(chat, 4);
    expect(stdout).toContain("The run was cancelled.");
    expect(stdout).toContain("The next message goes to rehearsal/friendly.");
    expect(stdout).toContain("You asked: “<thread>");
  });

  test("has a history, drops a line by Ctrl-C, and takes several lines as one message", async () => {
    const chat = startChat();
    await chat.asked(1);
    chat.write("first line\\\r");
    await chat.until((stdout) => stdout.includes("… "));
    chat.write("second line\r");
    await chat.asked(2);
    chat.write(`never sent${CTRL_C}`);
    chat.write(CTRL_C);
    await chat.until((stdout) => stdout.includes("Ctrl-D or /exit leaves the chat."));
    chat.write(`${UP}\r`);
    await chat.asked(3);
    chat.write("/exit\r");
    const { exitCode, stdout } = await chat.ended;
    expect(exitCode).toBe(0);
    expect(stdout).toContain("You asked: “first line\r\nsecond line”");
    expect(stdout).toContain("You asked: “second line”");
    expect(stdout).not.toContain("“never sent");
  });

  test("wraps its own lines at words, and leaves the shell a line of its own", async () => {
    const columns = 60;
    const chat = startChatAt(columns);
    await chat.asked(1);
    chat.write("/provider nope\r");
    await chat.asked(2);
    chat.write("/help\r");
    const output = stripVTControlCharacters(await leave(chat, 3)).replaceAll("\r\n", "\n");
    const lines = output.split("\n");
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    expect(lines.join("\n")).toMatch(/^There is no provider or model "nope"\. Choose one of:/m);
    expect(lines).toContain("/fork [name]    continue in a copy of this session; the");
    expect(lines).toContain("                session itself stays as it is");
    expect(lines.slice(-2)).toEqual(["rehearsal> ", ""]);
  });

  test("takes a pasted text as one message", async () => {
    const chat = startChat();
    await chat.asked(1);
    chat.write("\u001b[200~one\rtwo\rthree\u001b[201~\r");
    expect(await leave(chat, 2)).toContain("You asked: “one\r\ntwo\r\nthree”");
  });

  test("asks whether a tool may run, and goes on after it", async () => {
    const chat = startChat("--agent", "--model", "tool");
    await chat.asked(1);
    chat.write("What time is it?\r");
    await chat.until((stdout) => stdout.includes("then Enter:"));
    chat.write("y\r");
    expect(await leave(chat, 2)).toMatch(/It is \d\d:\d\d UTC\./);
  });

  test("goes on after a call that the person denies, which is no failure", async () => {
    const chat = startChat("--agent", "--model", "tool");
    await chat.asked(1);
    chat.write("What time is it?\r");
    await chat.until((stdout) => stdout.includes("a = exactly this call in this chat; then Enter:"));
    chat.write("n\r");
    const stdout = await leave(chat, 2);
    expect(stdout).toContain("I was not allowed to look, so I do not know the time.");
    expect(stdout).not.toContain("✗");
  });
});

describe("cox chat from a pipe", () => {
  test("takes each line as a message; commands fork the session and hand it over", async () => {
    const { env, directory } = openTestScope();
    const lines = ["one", "/fork branch", "two", "/provider", "/handover rehearsal", "three", "/nonsense", "/help", ""];
    const args = ["chat", "--provider", "rehearsal"];
    const { stdout, stderr, exitCode } = await coxWith(lines.join("\n"), args, { env, cwd: directory });
    expect(exitCode).toBe(0);
    const answers = stdout
      .trimEnd()
      .split("\n")
      .filter((line) => line.startsWith("You asked"));
    expect(answers[1]).toContain("This is prompt 2 of this session; the one before was: one");
    expect(answers[2]).toContain("You asked: “<thread>");
    expect(stderr).toContain("This is now the session branch.");
    expect(stderr).toContain("The CLI is rehearsal.");
    expect(stderr).toContain("There is no command /nonsense.");
    const next = await coxWith("four\n", ["chat", "--session", "branch"], { env, cwd: directory });
    expect(next.stdout).toContain("the one before was: <thread>");
  });

  test("exits with the code of the last message if it failed", async () => {
    const { env, directory } = openTestScope();
    const args = ["chat", "--provider", "rehearsal/not-logged-in"];
    const { exitCode, stderr } = await coxWith("one\n", args, { env, cwd: directory });
    expect(exitCode).toBe(3);
    expect(stderr).toContain("Not logged in");
  });
});
