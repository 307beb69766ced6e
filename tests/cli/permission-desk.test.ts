import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { PermissionDesk } from "../../src/cli/show/permission-desk.ts";
import { printRun } from "../../src/cli/show/print-run.ts";
import { type Keyboard, keyboardOf } from "../../src/cli/terminal/keyboard.ts";
import { colorsFor, type Screen } from "../../src/cli/terminal/screen.ts";
import { failedEnd } from "../../src/run/part.ts";
import { createFailure, type Failure } from "../../src/spec/failure/failure.ts";
import type { JsonValue } from "../../src/spec/json.ts";
import type { RunEvent } from "../../src/spec/wire/events.ts";

const plain = colorsFor(Object.assign(Object.create(process.stdout), { isTTY: false }));

const running = new AbortController().signal;

function openDesk(...typed: readonly (string | undefined)[]) {
  let next = 0;
  return openDeskWith({ discard: async () => undefined, readLine: async () => typed[next++] });
}

function openDeskWith(keyboard: Keyboard) {
  let notes = "";
  const screen: Screen = {
    out: () => undefined,
    note: (text) => {
      notes += text;
    },
    isTerminal: true,
    outColors: plain,
    noteColors: plain,
  };
  const desk = new PermissionDesk(screen, keyboard, "run");
  const ask = async (requestId: string, name: string, input: JsonValue = {}): Promise<boolean> =>
    await desk.ask(call(requestId, name, input), running);
  return { desk, screen, ask, notes: () => notes, asked: () => notes.split("May ").length - 1 };
}

function call(requestId: string, name: string, input: JsonValue = {}) {
  return { type: "permission-request", requestId, id: requestId, name, input } as const;
}

describe("the desk for permission questions", () => {
  test("answers the CLI as the person did, whether the CLI or the event comes first", async () => {
    const { desk, ask } = openDesk("y", "NO");
    const early = desk.onPermission(call("1", "Bash"));
    expect(await ask("1", "Bash")).toBe(true);
    expect(await early).toEqual({ behavior: "allow" });
    expect(await ask("2", "Bash")).toBe(false);
    expect(await desk.onPermission(call("2", "Bash"))).toMatchObject({ behavior: "deny" });
  });

  test.each([true, false])("asks again about another question with the same id, if the CLI comes first: %s", async (isFirst) => {
    const { desk, ask, asked } = openDesk("y", "n");
    const answers: unknown[] = [];
    for (const command of ["ls", "rm"]) {
      const early = isFirst ? desk.onPermission(call("1", "Bash")) : undefined;
      await ask("1", "Bash", { command });
      answers.push(await (early ?? desk.onPermission(call("1", "Bash"))));
    }
    expect(answers).toMatchObject([{ behavior: "allow" }, { behavior: "deny" }]);
    expect(asked()).toBe(2);
  });

  test("gives two open questions with the same id their own answers", async () => {
    const { desk, ask } = openDesk("y", "n");
    const open = [desk.onPermission(call("1", "Bash")), desk.onPermission(call("1", "Bash"))];
    expect([await ask("1", "Bash"), await ask("1", "Bash")]).toEqual([true, false]);
    expect(await Promise.all(open)).toMatchObject([{ behavior: "allow" }, { behavior: "deny" }]);
  });

  test("asks nobody about a question without an id", async () => {
    const { ask, asked } = openDesk("y");
    expect([await ask("", "Bash"), asked()]).toEqual([false, 0]);
  });

  test.each([
    [
      "mkdir a",
      "all mkdir commands",
      ["mkdir b", "mkdir -p c/d"],
      [
        "mkdir x; rm -rf y",
        "mkdir x && ls",
        "mkdir $(rm y)",
        "mkdir a\nrm y",
        "mkdirs x",
        "A=1 mkdir x",
        "./mkdir x",
        "mkdir x > y",
      ],
    ],
    ["rm a.txt", "exactly this call", ["rm a.txt"], ["rm b.txt", "rm a.txt b.txt"]],
    ["mkdir x; rm y", "exactly this call", ["mkdir x; rm y"], ["mkdir x", "mkdir x; rm z"]],
  ])("says what a covers after %j, %s, and asks about everything else", async (command, words, covered, others) => {
    const { ask, asked, notes } = openDesk("a", ...others.map(() => "n"), "n", "n");
    expect(await ask("0", "Bash", { command, description: "One" })).toBe(true);
    expect(notes()).toContain(`a = ${words} in this run; then Enter: `);
    for (const other of covered) expect(await ask("1", "Bash", { command: other, description: "Two" })).toBe(true);
    expect(asked()).toBe(1);
    for (const other of others) expect(await ask("2", "Bash", { command: other })).toBe(false);
    expect(await ask("3", "Bash", { command, dangerouslyDisableSandbox: true })).toBe(false);
    expect(await ask("4", "Write", { command })).toBe(false);
    expect(asked()).toBe(others.length + 3);
  });

  test.each([
    [null, "The CLI did not tell what this call does."],
    [{ title: "Fetches a page" }, "only this description"],
  ])("allows a call whose input the CLI did not tell by the whole word alone: %j", async (input, words) => {
    for (const [typed, isAllowed] of [
      [["y", "a", ""], false],
      [["yes"], true],
    ] as const) {
      const { desk, notes } = openDesk(...typed);
      const event = { ...call("1", "web_fetch", input), isDescription: true } as const;
      expect(await desk.ask(event, running)).toBe(isAllowed);
      expect(notes()).toContain(words);
    }
  });

  test("wants the whole word for an input that was not shown whole", async () => {
    const { ask, notes } = openDesk("y", "a", "always", "yes", "m", "y");
    const command = `ls ${"#".repeat(3998)}; rm -rf ~`;
    expect(await ask("1", "Bash", { command })).toBe(true);
    expect(notes().split("yes (the whole word) = yes, n = no, m = show all of it").length - 1).toBe(4);
    expect(notes()).not.toContain("#".repeat(2100));
    expect(await ask("2", "Bash", { command })).toBe(true);
    expect(notes().replaceAll(/\n {4}/g, "")).toContain(command);
    expect(notes()).toContain("y = yes, n = no, a = exactly this call in this run");
  });

  test("shows a line of a million letters whole, without a wait", async () => {
    const { ask, notes } = openDesk("m", "y");
    expect(await ask("1", "Bash", { command: "x".repeat(1_000_000) })).toBe(true);
    expect(notes().split("x").length).toBeGreaterThan(1_000_000);
  });

  test("denies at the end of the input", async () => {
    expect(await openDesk(undefined).ask("1", "Bash")).toBe(false);
  });

  test("waits no longer than the run: its end takes the open question away, and later ones are not asked", async () => {
    const until = async (signal: AbortSignal): Promise<undefined> =>
      await new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined), { once: true }));
    let isAsked = (): void => undefined;
    const failure = createFailure("total-timeout", "Too late.");
    const result = { text: "", toolCalls: [], permissionDenials: [], warnings: [], finish: "error", failure } as const;
    const outcome = new Promise<void>((resolve) => {
      isAsked = resolve;
    }).then(() => result);
    const { desk, screen, asked } = openDeskWith({
      discard: async () => undefined,
      readLine: async (signal) => {
        isAsked();
        return await until(signal);
      },
    });
    const drafts = [call("1", "Bash"), call("2", "Bash"), failedEnd(failure)];
    const events = async function* (): AsyncGenerator<RunEvent> {
      for (const [seq, draft] of drafts.entries()) yield { ...draft, seq, atMs: 0 } as RunEvent;
    };
    const stream = {
      [Symbol.asyncIterator]: events,
      batches: () => expect.fail("not read"),
      result: () => outcome,
      outcome: () => outcome,
      interrupt: () => undefined,
    };
    const chain = { targets: [{ provider: "rehearsal" }], attempts: 1 } as const;
    const shown = {
      screen,
      desk,
      denied: [],
      explain: (same: Failure) => same,
      hasSign: false,
      hasSummary: false,
      hasOutput: false,
      isCancelled: () => false,
    };
    expect(await printRun({ output: "text", stream, chain, ...shown })).toBe(failure);
    expect(asked()).toBe(1);
  });
});

describe("the keyboard of a terminal", () => {
  function openTerminal() {
    const modes: boolean[] = [];
    const stdin = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => modes.push(isRaw) });
    return { stdin, modes, keyboard: keyboardOf(stdin) };
  }

  test("reads a line in the normal mode, after it has dropped in raw mode what was typed before", async () => {
    const { stdin, modes, keyboard } = openTerminal();
    stdin.write("y");
    await keyboard.discard(running);
    expect(modes).toEqual([true, false]);
    const line = keyboard.readLine(running);
    stdin.write("no\n");
    expect(await line).toBe("no");
    expect(modes).toEqual([true, false]);
  });

  test("has no line after the end of the input, each time it is asked", async () => {
    const { stdin, keyboard } = openTerminal();
    stdin.end();
    expect(await keyboard.readLine(running)).toBeUndefined();
    await keyboard.discard(running);
    expect(await keyboard.readLine(running)).toBeUndefined();
  });

  test("leaves the raw mode when the run ends", async () => {
    const { modes, keyboard } = openTerminal();
    const run = new AbortController();
    const discarded = keyboard.discard(run.signal);
    run.abort();
    await discarded;
    expect(modes).toEqual([true, false]);
  });
});
