import { createHash } from "node:crypto";

/** Lines that differ, with characters of one to four bytes, with this many characters in all. */
export function toLargeText(length: number): string {
  const lines = Array.from({ length: Math.ceil(length / 20) }, (_, line) => `${line}: ä 漢 🙂 "quoted" \\n\n`);
  return [...lines.join("")].slice(0, length).join("");
}

/** The digest by which long texts are compared, so that a difference stays readable. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
