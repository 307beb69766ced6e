import type { Image } from "../spec/message.ts";

/** The image of a base64 data URL; undefined for any other URL, because Coxswain downloads nothing. */
export function imageOfDataUrl(url: string): Image | undefined {
  const [, mediaType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  return mediaType === undefined || data === undefined ? undefined : { mediaType, data };
}
