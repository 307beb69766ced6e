import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { drawScreen } from "../../scripts/pictures/draw-screen.ts";
import { Screen } from "../../scripts/pictures/screen.ts";

const picture = readFileSync(join(import.meta.dirname, "../../docs/pictures/cox.svg"), "utf8");

it("the picture of README.md is small, loads nothing and stands still for readers who want no motion", () => {
  expect(Buffer.byteLength(picture)).toBeLessThan(60_000);
  expect(picture).not.toMatch(/<script|<image|href|url\(|@import|http(?!:\/\/www\.w3\.org\/2000\/svg")/);
  const [outside = "", inside = ""] = picture.split("@media (prefers-reduced-motion:no-preference){\n");
  expect(outside).not.toMatch(/animation|@keyframes/);
  expect(inside.split("\n}\n</style>")[0]).toContain("{animation:");
  expect(inside.split("\n}\n</style>")[1]).not.toContain("animation");
  expect(picture).toContain(">exit code 3, 0 bytes of answer</text>");
});

it("a recorded screen has what was seen when: a line that is erased is gone, and text behind it takes its place", () => {
  const screen = new Screen();
  screen.write("\u001b[32m$\u001b[39m wait\r\n", 0);
  screen.write("\u001b[2m⠋ 0 s\u001b[22m", 100);
  screen.write("\r\u001b[2KDone", 500);
  screen.write(" & over", 1000);
  screen.end(2000);
  expect(screen.pieces.map(({ row, column, text, style, from, to }) => [row, column, text, style, from, to])).toEqual([
    [0, 0, "$", "green", 0, 2000],
    [0, 1, " wait", "", 0, 2000],
    [1, 0, "⠋ 0 s", "dim", 100, 500],
    [1, 0, "Done", "", 500, 2000],
    [1, 4, " & over", "", 1000, 2000],
  ]);
  const svg = drawScreen(screen, 20, "A title");
  expect(svg).toContain("@keyframes t5-25{0%{visibility:hidden}5%{visibility:visible}25%{visibility:hidden}}");
  expect(svg).toMatch(/<text x="49\.6" y="65" class="t50" textLength="58\.8"> &amp; over<\/text>/);
});

it("a recorded screen refuses codes that it does not know instead of drawing something else", () => {
  expect(() => new Screen().write("\u001b[3A", 0)).toThrow("no code 3A");
  expect(() => new Screen().write("\u001b[35mx", 0)).toThrow("no style 35");
});
