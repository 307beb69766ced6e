import type { JsonValue } from "../json.ts";

/** The CLI asks whether a tool may run. */
export type PermissionRequest = {
  readonly type: "permission-request";
  readonly requestId: string;
  readonly id?: string;
  readonly name: string;
  readonly input: JsonValue;
  /** The CLI did not tell the input: `input` is its description of the call, or null if it gave none. */
  readonly isDescription?: true;
};

/** A tool call was denied. */
export type PermissionDenied = {
  readonly type: "permission-denied";
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  /** Why, if the host or the CLI said so. */
  readonly reason?: string;
};

/** A denial as a wire reports it; the run adds the input of the call, and the reason that the host gave. */
export type PermissionDeniedDraft = Omit<PermissionDenied, "input"> & { readonly input?: JsonValue };

/** The host changed the input of a call before it ran; the run puts it into the end of the call. */
export type InputChangeDraft = { readonly type: "input-change"; readonly id: string; readonly input: JsonValue };
