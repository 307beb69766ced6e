import type { JsonObject } from "./json.ts";

export type Image = {
  /** Such as `image/png`. */
  readonly mediaType: string;
  /** The image in base64. */
  readonly data: string;
};

/** What every message has: its text, and perhaps the name of its speaker (of the tool, in a result) and images. */
type Spoken = { readonly text: string; readonly name?: string; readonly images?: readonly Image[] };

export type Message =
  | (Spoken & { readonly role: "system" })
  | (Spoken & { readonly role: "user" })
  | (Spoken & { readonly role: "assistant"; readonly toolCalls?: readonly HostCall[] })
  /** Its name is used if its call is not in the conversation. */
  | (Spoken & { readonly role: "tool"; readonly callId: string; readonly isError?: boolean })
  | (Spoken & { readonly role: "other"; readonly label: string });

/** A host tool as it is described to the model. */
export type ToolDefinition = {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments; without one the tool takes any object. */
  readonly parameters?: JsonObject;
};

/** A host tool as a CLI gets it. */
export type NativeTool = ToolDefinition & {
  /** The caller's name of the tool, if the CLI gets another one; events and calls have the caller's. */
  readonly callersName?: string;
};

/** Whether the model may, must or must not call a tool, or which one it must call. */
export type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

/** A call that the model asks the caller to make; its id is unique in the conversation. */
export type HostCall = { readonly id: string; readonly name: string; readonly args: JsonObject };

/** A call that must not be made: there is no such tool, or the arguments do not match its schema. */
export type InvalidCall = HostCall & { readonly problem: string };
