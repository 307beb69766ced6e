import picocolors from "picocolors";
import { MarkdownWriter } from "../src/cli/terminal/markdown/markdown-writer.ts";
import { pairedRatio } from "./measure.ts";

const LINES: Readonly<Record<string, (length: number) => { readonly before?: string; readonly line: string }>> = {
  "blanks in a list": (length) => ({ before: "- item\n", line: `${" ".repeat(length)}x` }),
  "blanks in a link": (length) => ({ line: `a [b](${" ".repeat(length)}x y) ` }),
  "blanks in code": (length) => ({ line: `a \` ${"b ".repeat(length / 2)}b\` ` }),
  "open marks": (length) => ({ line: `${"**a b**c".repeat(length / 8)}*d ` }),
};

/** How much longer a character takes in a line of 3,800 characters than in one of 380: 1 if the cost grows only with the length. */
export async function measureMarkdown(): Promise<Readonly<Record<string, number>>> {
  const show = (kind: string, length: number, count: number) => async (): Promise<void> => {
    const { before = "", line } = LINES[kind]?.(length) ?? { line: "" };
    for (let round = 0; round < 30; round += 1) {
      const writer = new MarkdownWriter(picocolors.createColors(true), () => 80);
      writer.write(before);
      for (let shown = 0; shown < count; shown += 1) {
        writer.write(line);
        writer.write("\n");
      }
    }
  };
  const ratios: Record<string, number> = {};
  for (const kind of Object.keys(LINES)) ratios[kind] = 1 / (await pairedRatio(31, show(kind, 380, 10), show(kind, 3800, 1)));
  return ratios;
}
