import type { JsonObject, JsonValue } from "../../spec/json.ts";
import type { PromptRequest } from "../../spec/request.ts";
import type { Fault, TurnEnd } from "../../spec/wire/wire.ts";

export type RpcError = {
  readonly code: number;
  readonly message: string;
  /** The text in `data`, which is a string, or its `details` or `message`. */
  readonly details?: string;
  /** The request that was answered with it, and the names of its parameters. */
  readonly request: { readonly method: string; readonly parameters: readonly string[] };
  readonly event: JsonObject;
};

/** The parameters of `session/prompt` besides the session. */
export type AcpPrompt = { readonly prompt: readonly JsonObject[]; readonly _meta?: JsonObject };

export type AcpTally = { readonly hasText: boolean; readonly hasCalls: boolean };

/** What differs between CLIs that speak the Agent Client Protocol; docs/dialects/acp.md has the rules that they share, and the defaults. */
export type AcpCli = {
  /** The number of sessions that may have an open turn. */
  readonly turnsAtOnce: number;
  /** The process is ended after this many turns, because it keeps the memory of finished sessions. */
  readonly turnsPerProcess: number;
  /** Further parameters of `session/new`. */
  readonly session?: (request: PromptRequest) => JsonObject;
  /** The prompt in a form that the CLI does not interpret; one text by default. */
  readonly prompt?: (request: PromptRequest) => AcpPrompt;
  /** The method that closes a session, if there is one. */
  readonly closes?: string;
  /**
   * True if a process of the resident transport opens sessions of earlier processes with `session/load`. A process of `spawn` always tries: a provider
   * whose CLI cannot do it leaves `session-resume` out of its options.
   */
  readonly loads: boolean;
  /** The name of the tool of a call; its title by default. */
  readonly toolName?: (call: JsonObject) => string | undefined;
  /** The input of a call whose messages have no `rawInput`, as far as this CLI tells it in its own way. */
  readonly inputOf?: (call: JsonObject, name: string) => JsonValue | undefined;
  /** The token counts of one model response in an update; they are added up. */
  readonly countsIn?: (update: JsonObject) => JsonObject | undefined;
  /** The token counts of the turn in the answer to `session/prompt`. */
  readonly countsOf?: (result: JsonObject) => JsonObject | undefined;
  /** The fault of a turn that was answered without an error. */
  readonly faultOf?: (result: JsonObject, tally: AcpTally) => Fault | undefined;
  /** The end of a turn whose request was answered with an error. */
  readonly endOf: (error: RpcError) => TurnEnd;
  /** The stop reasons that are failures besides an interrupt and a turn limit, and the kinds of their faults. */
  readonly faultKinds?: ReadonlyMap<string, string>;
};
