import type { HostCall } from "./tool.ts";

/** An image for the model. */
export type Image = {
  /** Such as `image/png`. */
  readonly mediaType: string;
  /** The image in base64. */
  readonly data: string;
};

/** One message of a conversation. */
export type Message =
  | { readonly role: "system"; readonly text: string }
  | { readonly role: "user"; readonly text: string; readonly images?: readonly Image[] }
  | { readonly role: "assistant"; readonly text: string; readonly toolCalls?: readonly HostCall[] }
  | {
      readonly role: "tool";
      readonly callId: string;
      readonly text: string;
      /** The name of the tool, for a result whose call is not in the conversation. */
      readonly name?: string;
      readonly isError?: boolean;
    }
  | { readonly role: "other"; readonly label: string; readonly text: string };
