import { type Client, createClient } from "../../client.ts";
import type { CompatibilityOptions } from "../../compatibility/check-compatibility.ts";
import type { PolicyOptions, WarmOptions } from "../../spec/client-options.ts";
import { checkNames, type Fields } from "../../spec/fields.ts";
import { defined } from "../../spec/json.ts";
import type { ToolDefinition } from "../../spec/message.ts";
import type { RunRequest } from "../../spec/request.ts";
import type { RunWarning } from "../../spec/result.ts";

/** Options that belong to the client of an adapter; with a client of the caller they are refused. */
type OwnClientOptions = {
  /** The program to run; by default the CLI's own name, found on PATH. */
  readonly cliPath?: string;
  /** The longest line of output in bytes; 10 MiB by default. */
  readonly maxBuffer?: number;
  /** The processes that are kept warm for the next calls, or false for none. */
  readonly warm?: WarmOptions | false;
  /** Retry, limit, budget and the other policies, or false for none. */
  readonly policies?: PolicyOptions | false;
};

/** Options of every call of an adapter, as in a request. */
type OfCalls = Pick<RunRequest, "trustThread" | "marks" | "env" | "auth">;

/** Options of an adapter of any provider; all are optional. */
export type CliProviderOptions = CompatibilityOptions &
  OwnClientOptions &
  OfCalls & {
    readonly model?: string;
    /** Milliseconds for a call; 120,000 by default. 0: the timeouts of a plain run (ten minutes in total, two minutes idle). */
    readonly timeout?: number;
    readonly inputEncoding?: "xml" | "text";
    /** The client that runs the CLI; by default the adapter has its own. */
    readonly client?: Client;
  };

export type ClaudeCliProviderOptions = CliProviderOptions;

export type CodexCliProviderOptions = CliProviderOptions;

export const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_MAX_BUFFER = 10 * 1024 * 1024;

const OF_CLIENT: Fields<OwnClientOptions> = { cliPath: true, maxBuffer: true, warm: true, policies: true };
const FIELDS: Fields<CliProviderOptions> = {
  ...OF_CLIENT,
  model: true,
  timeout: true,
  inputEncoding: true,
  client: true,
  trustThread: true,
  marks: true,
  env: true,
  auth: true,
  features: true,
  compatibility: true,
};

/** Throws a TypeError for an option that does not exist, and for one that the caller's own client would have to have. */
export function checkCliProviderOptions(options: CliProviderOptions): void {
  checkNames("An adapter", options, FIELDS);
  if (options.client === undefined) return;
  const misplaced = Object.keys(OF_CLIENT).find((name) => Reflect.get(options, name) !== undefined);
  if (misplaced !== undefined)
    throw new TypeError(`${misplaced} belongs to the client: give it to createClient, or leave out the option client.`);
}

export function clientOf(name: string, options: CliProviderOptions): Client {
  const { client, cliPath, maxBuffer = DEFAULT_MAX_BUFFER, warm, policies } = options;
  return (
    client ??
    createClient({
      limits: { lineBytes: maxBuffer },
      ...(cliPath !== undefined && { binaries: { [idOf(name)]: cliPath } }),
      ...defined({ warm, policies }),
    })
  );
}

/** The id of the one provider that a name means. */
function idOf(name: string): string {
  const found = sharedClient().resolve(name);
  if ("failure" in found) return name;
  if (found.targets.length > 1) throw new TypeError(`cliPath is the program of one CLI, and ${name} means several.`);
  return found.targets[0].provider;
}

let shared: Client | undefined;

/** The client of all chat models and agents that were given none. */
export function sharedClient(): Client {
  shared ??= createClient();
  return shared;
}

export type AdapterParts = {
  readonly name: string;
  readonly model: string | undefined;
  readonly options: CliProviderOptions;
  readonly openClient: () => Client;
  /** One for each feature that stays off. */
  readonly warnings: readonly RunWarning[];
  readonly tools: readonly ToolDefinition[];
};

const known = new WeakMap<object, AdapterParts>();

/** Undefined for an adapter that `createCliProvider` did not make. */
export function partsOf(adapter: object): AdapterParts | undefined {
  return known.get(adapter);
}

export function withParts<Adapter extends object>(adapter: Adapter, parts: AdapterParts): Adapter {
  known.set(adapter, parts);
  return adapter;
}
