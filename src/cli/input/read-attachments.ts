import type { Image } from "../../spec/message.ts";
import { toJsonText } from "../terminal/terminal-text.ts";
import { UsageError } from "../usage-error.ts";
import { readBytes, readTextFile } from "./read-file.ts";

/** The parts of a prompt for these text files: the name of each, and its text in a fence that the text cannot close. */
export function readFileParts(paths: readonly string[]): readonly string[] {
  return paths.map((path) => toFilePart(path, readTextFile(path)));
}

export function toFilePart(path: string, text: string): string {
  if (text.includes("\0")) {
    throw new UsageError(`${path} is not a text file: it has a NUL character.`, "Use --image for an image.");
  }
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `File ${toJsonText(path)}:\n${fence}\n${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${fence}`;
}

/** Reads images; their bytes decide the type, and a file of another type is a usage error. */
export function readImages(paths: readonly string[]): readonly Image[] {
  return paths.map((path) => {
    const bytes = readBytes(path);
    const mediaType = mediaTypeOf(bytes);
    if (mediaType !== undefined) return { mediaType, data: bytes.toString("base64") };
    throw new UsageError(`${path} is not an image that CLIs take.`, "Use a PNG, JPEG, GIF or WebP file.");
  });
}

export function mediaTypeOf(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 12).toString("latin1");
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(start)) return "image/gif";
  return start.startsWith("RIFF") && start.endsWith("WEBP") ? "image/webp" : undefined;
}
