import type { HostCall } from "./tool.ts";

/** An image for the model. */
export type Image = {
  /** Such as `image/png`. */
  readonly mediaType: string;
  /** The image in base64. */
  readonly data: string;
};

/** What every message has: its text, and perhaps the name of its speaker (of the tool, in a result) and images. */
type Spoken = { readonly text: string; readonly name?: string; readonly images?: readonly Image[] };

/** One message of a conversation. */
export type Message =
  | (Spoken & { readonly role: "system" })
  | (Spoken & { readonly role: "user" })
  | (Spoken & { readonly role: "assistant"; readonly toolCalls?: readonly HostCall[] })
  /** Its name is used if its call is not in the conversation. */
  | (Spoken & { readonly role: "tool"; readonly callId: string; readonly isError?: boolean })
  | (Spoken & { readonly role: "other"; readonly label: string });
