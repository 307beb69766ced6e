import { imageOfDataUrl } from "../../doors/vendor-settings.ts";
import type { Image } from "../../spec/message.ts";
import type { RequestFields } from "./request-fields.ts";

export type Content = { readonly text: string; readonly images?: readonly Image[] };

/** Reads content: a string, or a list of parts in the form of either API. Absent content is empty. */
export function readContent(fields: RequestFields, name: string): Content {
  const value = fields.value(name);
  if (value === undefined || typeof value === "string") return { text: value ?? "" };
  const parts = fields.objects(name).map(readPart);
  const images = parts.flatMap((part) => part.images ?? []);
  const text = parts.flatMap((part) => (part.text === "" ? [] : [part.text])).join("\n");
  return { text, ...(images.length > 0 && { images }) };
}

function readPart(part: RequestFields): Content {
  const type = part.neededText("type");
  switch (type) {
    case "text":
    case "input_text":
    case "output_text":
      return { text: part.neededText("text") };
    case "refusal":
      return { text: part.neededText("refusal") };
    case "image_url":
      return { text: "", images: [readImage(part.neededObject("image_url"), "url")] };
    case "input_image":
      return { text: "", images: [readImage(part, "image_url")] };
    default:
      throw part.unsupported("type", `Content parts of type '${type}' are not supported.`, "Send text, or images as data URLs.");
  }
}

function readImage(fields: RequestFields, name: string): Image {
  const image = imageOfDataUrl(fields.neededText(name));
  if (image !== undefined) return image;
  throw fields.unsupported(
    name,
    "The URL of an image must be a base64 data URL; nothing is downloaded.",
    "Send the image as data:image/png;base64,…",
  );
}
