import fc from "fast-check";
import picocolors from "picocolors";
import { describe, expect, test } from "vitest";
import { MarkdownWriter } from "../../src/cli/terminal/markdown/markdown-writer.ts";
import { textWidth } from "../../src/cli/terminal/text-width.ts";

const colors = picocolors.createColors(true);
const plain = picocolors.createColors(false);
const { bold, cyan, dim, underline } = colors;

function render(text: string, width = 40, used = colors, pieces: readonly string[] = [text]): string {
  const writer = new MarkdownWriter(used, () => width);
  return pieces.map((piece) => writer.write(piece)).join("") + writer.flush();
}

describe("Markdown on a terminal", () => {
  test.each([
    { text: "a **b** `c`", out: `a ${bold("b")} ${cyan("c")}` },
    { text: "**two words**, done", out: `${bold("two")} ${bold("words")}, done` },
    { text: "**a `b`**: ``c`d``", out: `${bold("a")} ${bold(cyan("b"))}: ${cyan("c`d")}` },
    { text: "[the manual](https://a.b/c)", out: `${underline("the")} ${underline("manual")} ${dim("(https://a.b/c)")}` },
    { text: "[`x`](https://a.b/c_(d))", out: `${underline(cyan("x"))} ${dim("(https://a.b/c_(d))")}` },
    { text: "### Part", out: `${bold("###")} ${bold("Part")}` },
    { text: "- one\n  * two\n12. three", out: "• one\n  • two\n12. three" },
    { text: "```ts\nconst a = **b**;\n\n```\nafter", out: `  ${cyan("const a = **b**;")}\n\nafter` },
    { text: "an open **mark and `code", out: "an open **mark and `code" },
    { text: "a [list] of [ ] things", out: "a [list] of [ ] things" },
    { text: "***a***", out: bold("*a*") },
    { text: "(**“c”**). **.env** **src/**", out: `(${bold("“c”")}). ${bold(".env")} ${bold("src/")}` },
    { text: "**a**b **c**/**d**", out: `${bold("a")}b ${bold("c")}/${bold("d")}` },
    { text: "这是**重点：**内容，**「词」**的", out: `这是${bold("重")}${bold("点：")}内容，${bold("「词」")}的` },
  ])("shows $text", ({ text, out }) => {
    expect(render(text)).toBe(out);
  });

  test.each([
    "Use **kwargs and *args: f(*a, **b)",
    "**/*.ts, src/**/*.js, lib/**",
    "2**3 and x**2 + y**2",
    "__init__.py, *emphasis*, ~~struck~~, \\*escaped\\*",
    "> a quote",
    "**bold(**not bold",
  ])("keeps the marks of %s, which mark nothing", (text) => {
    expect(render(text, 80)).toBe(text);
  });

  test("a mark that is closed later does not open a mark before it", () => {
    const pieces = ["**two words**x **open ", "end** ", "**a `b** ", "c` [d** ", "e](f)"];
    expect(render("", 80, colors, pieces)).toBe(render(pieces.join(""), 80));
  });

  test("wraps words, with the indent of a list", () => {
    expect(render("one two three four", 10)).toBe("one two\nthree four");
    expect(render("- one two three", 10)).toBe("• one two\n  three");
    expect(render("see https://a.example/long/address now", 10, plain)).toBe("see\nhttps://a.example/long/address\nnow");
  });

  test("counts East Asian characters and emoji as two columns and breaks between them", () => {
    const lines = render("赛艇是一项水上运动，舵手负责掌握方向。👍🏽 ok", 20).split("\n");
    expect(lines.map(textWidth).every((width) => width <= 20)).toBe(true);
    expect(lines.length).toBe(3);
    expect(lines.join("").replaceAll(" ", "")).toBe("赛艇是一项水上运动，舵手负责掌握方向。👍🏽ok");
    expect(lines.some((line) => line.startsWith("，"))).toBe(false);
  });

  test("keeps tables readable: aligned, wrapped in their cells, or one field per line", () => {
    const table = "| Name | Count |\n|---|--:|\n| a `b` | 5 |\n| 漢字 | 12345 |\n";
    expect(render(table, 40, plain)).toBe("Name  │ Count\n──────┼──────\na `b` │     5\n漢字  │ 12345");
    const wide = "| Name | Text |\n|---|---|\n| a | one two three four five |\n";
    expect(render(wide, 20, plain)).toBe("Name │ Text\n─────┼──────────────\na    │ one two three\n     │ four five");
    const narrow = "| First | Second | Third |\n|---|---|---|\n| alphabet | bravissimo | charlatan |\n";
    expect(render(narrow, 20, plain)).toBe("First: alphabet\nSecond: bravissimo\nThird: charlatan");
    const surplus = "| A | B |\n|---|---|\n| 1 | 2 | 3 | 4 |\n| 5 |\n";
    expect(render(surplus, 40, plain)).toBe("A │ B\n──┼──────────\n1 │ 2 | 3 | 4\n5 │");
    expect(render("|\n|---|\n| a |\n", 40, plain)).toBe("|\n|---|\n| a |");
    expect(render("| no table |\n| at all |\n", 40)).toBe("| no table |\n| at all |");
  });

  test("without colours keeps the marks, because nothing else shows them", () => {
    const text = "## Part\n\n**b** `c`\n\n```\ncode\n```";
    expect(render(text, 40, plain)).toBe(text);
  });

  test("appears while it streams: words of a paragraph, lines of code", () => {
    const writer = new MarkdownWriter(colors, () => 40);
    const pieces = ["Hel", "lo wor", "ld **bo", "ld te", "xt** en", "d\n", "```\nco", "de\nmo"];
    expect(pieces.map((piece) => writer.write(piece))).toEqual([
      "",
      "Hello",
      " world",
      "",
      ` ${bold("bold")} ${bold("text")}`,
      " end\n",
      "",
      `  ${cyan("code")}\n`,
    ]);
  });

  const word = fc.constantFrom(
    "a",
    "**",
    "*",
    "_",
    "`",
    "[x](y)",
    "[",
    "|",
    "- ",
    "> ",
    "\n",
    "\n\n",
    "```\n",
    "# ",
    " ",
    "漢字",
    "👍",
    "|---|\n",
    "1. ",
  );
  const source = fc.array(word, { maxLength: 60 }).map((words) => words.join(""));

  test("is the same in one piece and in many", () => {
    fc.assert(
      fc.property(source, fc.integer({ min: 1, max: 9 }), (text, length) => {
        const pieces = text.match(new RegExp(`[\\s\\S]{1,${length}}`, "gu")) ?? [];
        expect(render(text, 30, colors, pieces)).toBe(render(text, 30));
      }),
    );
  });

  test("loses no letter, and a hostile line ends", () => {
    fc.assert(
      fc.property(source, (text) => {
        const letters = (shown: string): string => shown.replace(/[^a漢字👍]/gu, "");
        expect(letters(render(text, 30, plain))).toBe(letters(text));
      }),
    );
    for (const part of ["*", "**a", "[", "[a](", "`", "``a", "_a_b", "*`*`", "> ", "|a", "~~a"]) {
      const writer = new MarkdownWriter(colors, () => 80);
      for (let count = 0; count < 200; count += 1) writer.write(part.repeat(50));
      writer.flush();
    }
  });
});
