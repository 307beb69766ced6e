import type { Socket } from "node:net";
import type { Client } from "../../client.ts";
import { terminalSocket } from "../../gateway/serve-files.ts";
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../../spec/json.ts";
import type { RunRequest, Target } from "../../spec/request.ts";
import type { RunContext } from "../../spec/stream.ts";

/** A question of a terminal, as it goes to `cox serve` in one line. */
export type AskLine = {
  readonly environment: string;
  readonly retries: number;
  readonly targets: readonly [Target, ...Target[]];
  readonly request: RunRequest;
  readonly commit?: RunContext["commit"];
};

/** The socket of `cox serve`; undefined in a state directory that cannot be used: the run says so, if it needs one. */
export function socketPath(): string | undefined {
  try {
    return terminalSocket(process.env);
  } catch {
    return undefined;
  }
}

type LineReader = {
  act(line: JsonObject): void;
  /** Called with the bytes of each part of a line before it is kept; false if the rest of the connection is not read. */
  takes?(bytes: number): boolean;
};

/** Reads each object that the other side sends as a line of JSON; a line that is none closes the connection. */
export function onJsonLine(socket: Socket, { act, takes = () => true }: LineReader): void {
  let line = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    if (!takes(Buffer.byteLength(chunk))) {
      socket.removeAllListeners("data").resume();
      line = "";
      return;
    }
    const [first = "", ...others] = chunk.split("\n");
    line += first;
    for (const next of others) {
      const value = parseJson(line);
      line = next;
      if (isJsonObject(value)) act(value);
      else socket.destroy();
    }
  });
}

/** Sends an object as a line; false if the other side should read first. */
export function sendLine(socket: Socket, line: object): boolean {
  return socket.writable && socket.write(`${JSON.stringify(line)}\n`);
}

/** The fields of a request that name no directory, program, login or variable of the environment. */
const FIELDS: Partial<Readonly<Record<keyof RunRequest, true>>> = {
  prompt: true,
  images: true,
  system: true,
  systemMode: true,
  outputSchema: true,
  effort: true,
  timeouts: true,
  budget: true,
  maxWaitMs: true,
};

const TARGET_FIELDS: Partial<Readonly<Record<keyof Target, true>>> = { provider: true, model: true };

type AnyQuestion = { readonly targets?: JsonValue | readonly Target[]; readonly request?: JsonValue | RunRequest };

/**
 * True for a question that asks a CLI of Coxswain's own list to answer, and nothing more. Only such a question goes to `cox serve`. The server
 * checks it too: a program in a sandbox that reaches the socket must not start an agent or another program outside of its sandbox.
 */
export function isPlain({ providers }: Pick<Client, "providers">, { targets, request }: AnyQuestion): boolean {
  const isBuiltIn = (id: unknown): boolean => providers.some((provider) => provider.id === id && provider.origin === undefined);
  if (!Array.isArray(targets) || targets.length === 0 || !hasOnly(request, FIELDS)) return false;
  return targets.every((target) => hasOnly(target, TARGET_FIELDS) && isBuiltIn((target as Target).provider));
}

function hasOnly(value: unknown, fields: object): boolean {
  return isJsonObject(value) && Object.keys(value).every((name) => Object.hasOwn(fields, name));
}
