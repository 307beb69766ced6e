import { imageOfDataUrl } from "../../doors/vendor-settings.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Image } from "../../spec/message.ts";
import { badField, type Field, flagAt, isGiven, listAt, objectAt, stringAt } from "./fields.ts";

/** What a CLI gets of some content: its text, and its images in order. */
export type Content = { readonly text: string; readonly images: readonly Image[] };

export type Block = { readonly type: string; readonly block: JsonObject; readonly path: string };

/** The blocks of a content; a string is one block of text. */
export function blocksAt(value: Field, path: string): readonly Block[] {
  if (typeof value === "string") return [{ type: "text", block: { type: "text", text: value }, path }];
  return listAt(value, path).map((entry, index) => {
    const place = `${path}.${index}`;
    const block = objectAt(entry, place);
    return { type: stringAt(block["type"], `${place}.type`), block, path: place };
  });
}

/** Reads a block of text, an image, a document or a search result; throws for any other. */
export function readBlock({ type, block, path }: Block): Content {
  switch (type) {
    case "text":
      return { text: stringAt(block["text"], `${path}.text`), images: [] };
    case "image":
      return { text: "", images: [readImage(block, path)] };
    case "document":
      return readDocument(block, path);
    case "search_result":
      return titled(
        `Search result ${JSON.stringify(stringAt(block["title"], `${path}.title`))}`,
        readBlocks(block["content"], path),
      );
    case "tool_reference":
      return { text: `The tool ${stringAt(block["tool_name"], `${path}.tool_name`)} is now available.`, images: [] };
    default:
      throw badField(path, `Content blocks of type ${JSON.stringify(type)} cannot be sent to a CLI.`, "Leave them out.");
  }
}

/** The content of several blocks; each text is a line of its own. */
export function joinContent(parts: readonly Content[]): Content {
  return {
    text: parts.flatMap(({ text }) => (text === "" ? [] : [text])).join("\n"),
    images: parts.flatMap(({ images }) => images),
  };
}

function readBlocks(value: Field, path: string): Content {
  return joinContent(blocksAt(value, `${path}.content`).map(readBlock));
}

function titled(title: string, { text, images }: Content): Content {
  return { text: `${title}:\n${text}`, images };
}

function readImage(block: JsonObject, path: string): Image {
  const source = objectAt(block["source"], `${path}.source`);
  const kind = stringAt(source["type"], `${path}.source.type`);
  if (kind === "base64") {
    const mediaType = stringAt(source["media_type"], `${path}.source.media_type`);
    return { mediaType, data: stringAt(source["data"], `${path}.source.data`) };
  }
  const image = kind === "url" ? imageOfDataUrl(stringAt(source["url"], `${path}.source.url`)) : undefined;
  if (image !== undefined) return image;
  throw badField(`${path}.source`, "Coxswain does not download images.", "Give the image as base64 data.");
}

function readDocument(block: JsonObject, path: string): Content {
  const source = objectAt(block["source"], `${path}.source`);
  const title = isGiven(block["title"]) ? ` ${JSON.stringify(stringAt(block["title"], `${path}.title`))}` : "";
  const context = isGiven(block["context"]) ? `${stringAt(block["context"], `${path}.context`)}\n` : "";
  const { text, images } = readSource(source, `${path}.source`);
  return titled(`Document${title}`, { text: context + text, images });
}

function readSource(source: JsonObject, path: string): Content {
  const kind = stringAt(source["type"], `${path}.type`);
  if (kind === "text") return { text: stringAt(source["data"], `${path}.data`), images: [] };
  if (kind === "content") return readBlocks(source["content"], path);
  throw badField(path, `Documents of type ${JSON.stringify(kind)} cannot be sent to a CLI.`, "Give the document as plain text.");
}

/** True if a block asks for citations, which no CLI gives. */
export function wantsCitations({ block, path }: Block): boolean {
  const { citations } = block as { readonly citations?: Field };
  return (
    isGiven(citations) && !Array.isArray(citations) && flagAt(objectAt(citations, path)["enabled"], `${path}.citations.enabled`)
  );
}
