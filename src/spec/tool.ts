import type { JsonObject } from "./json.ts";

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
