import { describe, expect, test } from "vitest";
import { questionText } from "../../src/cli/show/question-text.ts";
import { colorsFor } from "../../src/cli/terminal/screen.ts";
import type { JsonValue } from "../../src/spec/json.ts";

const plain = colorsFor(Object.assign(Object.create(process.stdout), { isTTY: false }));

describe("the text of a question", () => {
  const page = { width: 50, height: 30 };

  test("shows the whole input, in which nothing can steer the terminal or hide", () => {
    const command = `echo ${"x".repeat(200)} && rm -rf ~ \u001b[2J\u202e`;
    const { text, isCut } = questionText({ name: "Ba\u001b[1msh", input: { command, "\u001b": 1 } }, plain, page);
    expect(isCut).toBe(false);
    expect(text).toMatch(/^\? May Ba\\u001b\[1msh run\?\n {2}command: echo/);
    expect(text.replace(/\n +/g, "")).toContain("rm -rf ~");
    for (const character of "\u001b\u202e") expect(text).not.toContain(character);
    expect(text.split("\n").filter((line) => line.length > 50)).toEqual([]);
  });

  test.each([
    ["zero width space", "a\u200bb", "a\\u200bb"],
    ["soft hyphen", "a\u00adb", "a\\u00adb"],
    ["Hangul filler", "a\u3164b", "a\\u3164b"],
    ["tag", "a\u{e0041}b", "a\\u{e0041}b"],
    ["selector", "a\u{e0100}b", "a\\u{e0100}b"],
    ["no-break space", "a\u00a0b", "a\\u00a0b"],
    ["blank Braille pattern", "a\u2800b", "a\\u2800b"],
    ["carriage return", "rm x\rls", "rm x\\u000dls"],
    ["line separator", "a\u2028b", "a\\u2028b"],
    ["bidi isolate", "a\u2066b", "a\\u2066b"],
    ["Cyrillic letter in a Latin word", "p\u0430ypal", "p\\u0430ypal"],
    ["emoji", "\u{1f469}\u200d\u{1f4bb} ❤️", "\u{1f469}\u200d\u{1f4bb} ❤️"],
    ["Cyrillic word", "привет Größe", "привет Größe"],
  ])("shows a %s", (_what, command, shown) => {
    expect(questionText({ name: "Bash", input: { command } }, plain, page).text).toContain(`command: ${shown}\n`);
  });

  test("shows lines as lines, a new file with + and a change as a diff", () => {
    const shownOf = (name: string, input: JsonValue): string => questionText({ name, input }, plain, page).text;
    expect(shownOf("Bash", { command: "cat > x <<'E'\none\n\ttwo\nE" })).toBe(
      "? May Bash run?\n  command:\n  │ cat > x <<'E'\n  │ one\n  │     two\n  │ E\n",
    );
    expect(shownOf("Write", { file_path: "/w/a.txt", content: "one\ntwo\n" })).toBe(
      "? May Write run?\n  file_path: /w/a.txt\n  content:\n  + one\n  + two\n",
    );
    const diff = "  │ b\n  │ c\n  - d\n  + D\n  + E\n  │ f\n";
    expect(shownOf("Edit", { file_path: "a", old_string: "b\nc\nd\nf", new_string: "b\nc\nD\nE\nf" })).toContain(diff);
    const changes = [{ path: "a", oldText: "a\nb\nc\nd\nf\n", newText: "a\nb\nc\nD\nE\nf\n" }];
    expect(shownOf("replace", { changes })).toBe(
      `? May replace run?\n  changes 1 of 1:\n  path: a\n  change at line 4:\n${diff}`,
    );
    expect(shownOf("Edit", { old_string: "a\n", new_string: "a" })).toContain("  The last line loses its newline.\n");
    expect(shownOf("Clock", {})).toBe("? May Clock run?\n  The call has no input.\n");
    expect(shownOf("Bash", { command: `${"x".repeat(60)}\ny` })).toContain(
      `  │ ${"x".repeat(46)}\n  ┊ ${"x".repeat(14)}\n  │ y\n`,
    );
  });

  const hidden = `ls ${"#".repeat(3998)}; rm -rf ~`;
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key${index}`, index]));
  test.each<[string, JsonValue, RegExp]>([
    ["a long command", { command: hidden }, /\n {2}command: ls #+\n {4}…#+; rm -rf ~\n {2}This is not/],
    ["a longer one", { command: hidden.repeat(9) }, /\n {2}command: ls #+\n {4}…#+; rm -rf ~\n {2}This is not/],
    ["a long text", hidden, /\n {2}ls #+\n {4}…#+; rm -rf ~\n {2}This is not/],
    ["many fields", many, /\n {2}key0: 0\n(?:.*\n)* {4}…\n(?:.*\n)* {2}key19999: 19999\n {2}This is not/],
    [
      "many lines",
      { content: "line\n".repeat(5000) },
      /\n {2}content:\n(?: {2}│ line\n)+ {4}…\n(?: {2}│ line\n)+ {2}This is not.*5,001/s,
    ],
    ["a long command before other fields", { command: hidden, ...fields(12) }, /ls #+\n {4}…#+; rm -rf ~\n {2}field0: x\n/],
  ])("fits the terminal and shows both ends of %s", (_what, input, expected) => {
    const { text, isCut } = questionText({ name: "Bash", input }, plain, page);
    expect(text).toMatch(/^\? May Bash run\?\n/);
    expect(text.replaceAll(/\n {4}(?!…)/g, "")).toMatch(expected);
    expect(isCut).toBe(true);
    expect(text.split("\n").length).toBeLessThanOrEqual(page.height);
  });
});

function fields(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, "x"]));
}
