import { describe, expect, test } from "vitest";
import { PermissionDesk } from "../../src/cli/permission-desk.ts";
import { questionLines } from "../../src/cli/render/question-lines.ts";
import { colorsFor, type Screen } from "../../src/cli/render/screen.ts";

const plain = colorsFor(Object.assign(Object.create(process.stdout), { isTTY: false }));

function openDesk(...typed: readonly (string | undefined)[]): { readonly desk: PermissionDesk; readonly asked: () => number } {
  let [notes, next] = ["", 0];
  const screen: Screen = {
    out: () => undefined,
    note: (text) => {
      notes += text;
    },
    isTerminal: true,
    outColors: plain,
    noteColors: plain,
  };
  const keyboard = { discard: async () => undefined, readLine: async () => typed[next++] };
  const desk = new PermissionDesk(screen, new AbortController().signal, keyboard);
  return { desk, asked: () => notes.split("May ").length - 1 };
}

function call(requestId: string, name: string) {
  return { type: "permission-request", requestId, id: requestId, name, input: {} } as const;
}

describe("the desk for permission questions", () => {
  test("answers the CLI as the person did, whether the CLI or the event comes first", async () => {
    const { desk } = openDesk("y", "NO");
    const early = desk.onPermission(call("1", "Bash"));
    expect(await desk.ask(call("1", "Bash"))).toBe(true);
    expect(await early).toEqual({ behavior: "allow" });
    expect(await desk.ask(call("2", "Bash"))).toBe(false);
    expect(await desk.onPermission(call("2", "Bash"))).toMatchObject({ behavior: "deny" });
  });

  test("asks once about a tool that may always run in this run, and again about another", async () => {
    const { desk, asked } = openDesk("a", "n");
    expect([await desk.ask(call("1", "Bash")), await desk.ask(call("2", "Bash"))]).toEqual([true, true]);
    expect(asked()).toBe(1);
    expect(await desk.ask(call("3", "Write"))).toBe(false);
    expect(asked()).toBe(2);
  });

  test("denies at the end of the input", async () => {
    expect(await openDesk(undefined).desk.ask(call("1", "Bash"))).toBe(false);
  });

  test("shows the whole input, in which nothing can steer the terminal", () => {
    const command = `echo ${"x".repeat(200)} && rm -rf ~ \u001b[2J\u202e`;
    const shown = questionLines("Ba\u001b[1msh", { command, lines: "a\nb" }, plain, 50);
    expect(shown).toMatch(/^\? May Ba\\u001b\[1msh run\?\n {2}command: echo/);
    expect(shown.replace(/\n +/g, "")).toContain("rm -rf ~");
    expect(shown).toContain('  lines: "a\\nb"\n');
    for (const character of "\u001b\u202e") expect(shown).not.toContain(character);
    expect(shown.split("\n").filter((line) => line.length > 50)).toEqual([]);
  });
});
