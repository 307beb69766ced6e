import type { Image, Message } from "../spec/message.ts";

/** What a CLI gets of some content: its text, and its images in order. */
export type Content = Pick<Message, "text" | "images">;

/** The content of several pieces; each text is a line of its own. */
export function joinContent(pieces: readonly Content[], separator = "\n"): Content {
  const text = pieces.flatMap((piece) => (piece.text === "" ? [] : [piece.text])).join(separator);
  const images = pieces.flatMap((piece) => piece.images ?? []);
  return { text, ...(images.length > 0 && { images }) };
}

/** The image of a base64 data URL; undefined for any other URL, because Coxswain downloads nothing. */
export function imageOfDataUrl(url: string): Image | undefined {
  const [, mediaType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  return mediaType === undefined || data === undefined ? undefined : { mediaType, data };
}
