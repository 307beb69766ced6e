import { describe, expect, test } from "vitest";
import { allowAdviceOf } from "../../src/cli/show/allow-advice.ts";
import { AnswerView } from "../../src/cli/show/answer-view.ts";
import { colorsFor } from "../../src/cli/terminal/screen.ts";
import { builtinProviders, type JsonValue } from "../../src/index.ts";
import type { PermissionDenied } from "../../src/spec/wire/events.ts";

const plain = colorsFor(Object.assign(Object.create(process.stdout), { isTTY: false }));

const CHAIN = { targets: [{ provider: "claude" }], attempts: 1 };

describe("lines about tool calls", () => {
  test("name the option that would allow a denied call and no more, if it can be copied safely", () => {
    const denied = { type: "permission-denied", seq: 0, atMs: 0 } as const;
    const notes: string[] = [];
    const screen = { out: () => undefined, note: (text: string) => void notes.push(text), isTerminal: false } as const;
    const allowAdvice = allowAdviceOf(builtinProviders);
    const adviceOf = (provider: string, id: string, name: string, input: JsonValue): string | undefined => {
      const besides = { allowAdvice: (event: PermissionDenied) => allowAdvice(provider, event), denied: ["WebFetch"] };
      const view = new AnswerView({ ...screen, outColors: plain, noteColors: plain }, CHAIN, besides);
      view.wasRefused("own");
      view.show({ ...denied, id, name, input });
      return notes.at(-1)?.replace(/.* was not allowed\.\s*/, "");
    };
    const touch = { command: "touch made.txt" };
    expect(adviceOf("claude", "t", "Bash", touch)).toBe("To allow this command: --allow-tool 'Bash(touch made.txt)'\n");
    expect(adviceOf("gemini", "t", "run_shell_command", touch)).toContain("'run_shell_command(touch made.txt)'");
    expect(adviceOf("claude", "t", "Write", { file_path: "/a" })).toBe("To allow all its calls: --allow-tool Write\n");
    expect(adviceOf("claude", "t", "B; rm", {})).toBe("To allow all its calls: --allow-tool <pattern>\n");
    for (const command of [
      "touch a && rm b",
      "touch a; rm b",
      "touch a\nrm b",
      "touch $(rm b)",
      "rm *",
      " rm a",
      "rm 'a'",
      "rm a:*",
    ])
      expect(adviceOf("claude", "t", "Bash", { command })).toBe("");
    for (const provider of ["codex", "opencode", "grok"]) expect(adviceOf(provider, "t", "Bash", touch)).toBe("");
    for (const [id, name] of [
      ["own", "Bash"],
      ["t", "WebFetch"],
    ] as const)
      expect(adviceOf("claude", id, name, {})).toBe("");
  });

  test("show the output of tools where it is asked for, its first and last lines", () => {
    const notes: string[] = [];
    const screen = { out: () => undefined, note: (text: string) => void notes.push(text), isTerminal: false } as const;
    const view = new AnswerView({ ...screen, outColors: plain, noteColors: plain }, CHAIN, { hasOutput: true });
    const output = Array.from({ length: 1300 }, (_, index) => `line ${index}\u200b`).join("\n");
    view.show({
      type: "tool-end",
      id: "t",
      name: "Clock",
      input: { zone: "UTC" },
      isError: false,
      durationMs: 120,
      output,
      seq: 0,
      atMs: 0,
    });
    expect(notes.slice(0, 2)).toEqual(["⚙ Clock(UTC) → 120 ms\n", "# line 0\\u200b\n"]);
    expect(notes.slice(100, 103)).toEqual(["# line 99\\u200b\n", "# … 1,100 more lines …\n", "# line 1200\\u200b\n"]);
    expect(notes.at(-1)).toBe("# line 1299\\u200b\n");
  });
});
