import { expect, it } from "vitest";
import { colorsFor } from "../terminal/screen.ts";
import { servingLines } from "./serve-lines.ts";

const plain = colorsFor(Object.assign(Object.create(process.stdout), { isTTY: false }));
const serving = { url: "http://127.0.0.1:8417", tokenPath: "/state/token", model: "rehearsal" };

it("warns only of a gateway that other machines can reach", () => {
  expect(servingLines({ ...serving, isOpen: true }, plain)).toContain("HTTP is not encrypted");
  expect(servingLines({ ...serving, isOpen: false }, plain)).not.toContain("Other machines");
});

it("fits a terminal of 80 columns", () => {
  const lines = servingLines({ ...serving, isOpen: true }, plain).split("\n");
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});
