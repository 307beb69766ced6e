import type { Image } from "../../spec/message.ts";
import { refuse } from "./refuse.ts";

type Source = { readonly type?: string; readonly media_type?: string; readonly data?: string; readonly url?: string };
type ImageBlock = {
  readonly type?: string;
  readonly image_url?: string | { readonly url?: string };
  readonly source?: Source;
  readonly data?: unknown;
  readonly url?: unknown;
  readonly mime_type?: string;
  readonly mimeType?: string;
};

/**
 * The image of a content block in any of LangChain's forms; undefined when it has none. Throws for an image that would have to
 * be downloaded.
 */
export function toImage(block: ImageBlock): Image | undefined {
  if (block.type === "image_url") {
    const url = typeof block.image_url === "string" ? block.image_url : block.image_url?.url;
    return fromDataUrl(url ?? "");
  }
  if (block.type !== "image") return undefined;
  const { source, data, url } = block;
  const mediaType = source?.media_type ?? block.mimeType ?? block.mime_type ?? "image/png";
  if (typeof source?.data === "string") return { mediaType, data: source.data };
  if (typeof data === "string") return data.startsWith("data:") ? fromDataUrl(data) : { mediaType, data };
  if (data instanceof Uint8Array) return { mediaType, data: Buffer.from(data).toString("base64") };
  return fromDataUrl(source?.url ?? String(url ?? ""));
}

function fromDataUrl(url: string): Image {
  const [, mediaType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  if (mediaType !== undefined && data !== undefined) return { mediaType, data };
  throw refuse(
    "Image URLs are not supported; Coxswain does not download images.",
    "Give the image as base64 data or a data URL.",
  );
}
