import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** The text of a file, or why it has none: `no-file` is a directory, a pipe or a device. */
export type BoundedText = { readonly content: string } | "too-large" | "no-file" | undefined;

/** Reads a file without waiting for a pipe of that name; undefined if there is none that can be opened. */
export function readBounded(path: string, mostBytes: number): BoundedText {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    if (!stats.isFile()) return "no-file";
    if (stats.size > mostBytes) return "too-large";
    const buffer = Buffer.alloc(stats.size);
    return { content: buffer.subarray(0, readSync(file, buffer, 0, stats.size, 0)).toString("utf8") };
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
