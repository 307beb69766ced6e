import type { Client } from "../client.ts";
import type { Fields } from "../spec/fields.ts";
import type { Surroundings } from "../spec/provider/provider-facts.ts";
import type { Permissions } from "../spec/request.ts";
import type { RequestEntry } from "./request-record.ts";

/** Where a client may let a CLI work with its own tools, and what the CLI may do there. */
export type AgentAccess = {
  /** An existing directory; requests may name it or a directory below it. */
  readonly directory: string;
  /** What the CLI may do there; its own default if absent. */
  readonly permissions?: Permissions;
  /** True: the CLI also starts what the projects below the directory name, such as hooks and MCP servers; false by default. */
  readonly trustProject?: boolean;
};

export type RequestLimits = {
  /** The most bytes of a body; 32 MB by default. */
  readonly bodyBytes?: number;
  /** The most bytes of the bodies of all requests in progress; 128 MB by default, and always room for one body. */
  readonly bodiesBytes?: number;
  /** How long a body may take to arrive, in milliseconds; 30,000 by default. */
  readonly bodyMs?: number;
  /** After how many milliseconds without an event a stream gets a comment, so that no proxy closes it; 15,000 by default. */
  readonly silenceMs?: number;
  /** How long a run may wait in the queue, and between the attempts of one CLI, in milliseconds; 60,000 by default. */
  readonly waitMs?: number;
};

export type GatewayOptions = {
  readonly client: Client;
  /** The token that each request must carry. `false` lets every program of this machine use the CLIs. */
  readonly token: string | false;
  /** The environment of the client, which names the places of its logins; `process.env` by default. */
  readonly env?: Surroundings;
  /** Host names of requests, besides those of the loopback interface. */
  readonly hosts?: readonly string[];
  /** The origins of web pages that may use the gateway, such as `http://localhost:3000`; none by default. */
  readonly origins?: readonly string[];
  /** Allows agent mode below a directory; off by default. */
  readonly agent?: AgentAccess;
  readonly limits?: RequestLimits;
  /** Aborting it cancels all answers in progress. */
  readonly signal?: AbortSignal;
  /** Aborting it ends the taking of requests: new ones and those that wait for a place get 503, the answers in progress go on. */
  readonly draining?: AbortSignal;
  /** Called once for each request, when its response has ended. */
  readonly onRequest?: (entry: RequestEntry) => void;
};

export const DEFAULT_LIMITS: Required<RequestLimits> = {
  bodyBytes: 32 * 1024 * 1024,
  bodiesBytes: 128 * 1024 * 1024,
  bodyMs: 30_000,
  silenceMs: 15_000,
  waitMs: 60_000,
};

export const GATEWAY_FIELDS: Fields<GatewayOptions> = {
  ...({ client: true, token: true, env: true, hosts: true, origins: true, agent: true } as const),
  ...({ limits: true, signal: true, draining: true, onRequest: true } as const),
};

export const LIMIT_FIELDS: Fields<RequestLimits> = {
  ...({ bodyBytes: true, bodiesBytes: true, bodyMs: true, silenceMs: true, waitMs: true } as const),
};
