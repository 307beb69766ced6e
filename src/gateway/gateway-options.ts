import type { Client } from "../client.ts";
import type { ModelAliases } from "../doors/find-targets.ts";
import type { Permissions } from "../spec/request.ts";
import type { RequestEntry } from "./request-record.ts";

/** Where a client may let a CLI work with its own tools, and what the CLI may do there. */
export type AgentAccess = {
  /** An existing directory; requests may name it or a directory below it. */
  readonly directory: string;
  /** What the CLI may do there; its own default if absent. */
  readonly permissions?: Permissions;
};

/** The limits of one request. */
export type RequestLimits = {
  /** The most bytes of a body; 32 MB by default. */
  readonly bodyBytes?: number;
  /** How long a body may take to arrive, in milliseconds; 30,000 by default. */
  readonly bodyMs?: number;
  /** After how many milliseconds without an event a stream gets a comment, so that no proxy closes it; 15,000 by default. */
  readonly silenceMs?: number;
  /** How long a run may wait in the queue, and between the attempts of one CLI, in milliseconds; 60,000 by default. */
  readonly waitMs?: number;
};

/** The options of a gateway. */
export type GatewayOptions = {
  readonly client: Client;
  /** The token that each request must carry. `false` lets every program of this machine use the CLIs. */
  readonly token: string | false;
  /** The user's own names of models, such as `best` for `claude/opus,codex`. */
  readonly aliases?: ModelAliases;
  /** Host names of requests, besides those of the loopback interface. */
  readonly hosts?: readonly string[];
  /** The origins of web pages that may use the gateway, such as `http://localhost:3000`; none by default. */
  readonly origins?: readonly string[];
  /** Allows agent mode below a directory; off by default. */
  readonly agent?: AgentAccess;
  readonly limits?: RequestLimits;
  /** Aborting it cancels all answers in progress. */
  readonly signal?: AbortSignal;
  /** True while no new request is taken. */
  readonly isClosing?: () => boolean;
  /** Called once for each request, when its response has ended. */
  readonly onRequest?: (entry: RequestEntry) => void;
};

/** The limits that hold if none are given. */
export const DEFAULT_LIMITS: Required<RequestLimits> = {
  bodyBytes: 32 * 1024 * 1024,
  bodyMs: 30_000,
  silenceMs: 15_000,
  waitMs: 60_000,
};
