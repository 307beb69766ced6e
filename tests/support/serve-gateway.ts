import { connect } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type RequestEntry, type ServedGateway, type ServeOptions, serveGateway } from "../../src/gateway/index.ts";
import { type Client, type ClientOptions, createClient, type PolicyOptions } from "../../src/index.ts";
import type { Provider } from "../../src/provider.ts";
import { processesWith, untilGone } from "./processes/process-scan.ts";
import { openTestScope } from "./test-scope.ts";

/** The token of the gateways of tests. */
export const TOKEN = "cox-token-of-the-tests";

/** A gateway on loopback, as `cox serve` has it. */
export type Served = ServedGateway & {
  readonly client: Client;
  readonly directory: string;
  /** The records of the requests that have ended. */
  readonly entries: readonly RequestEntry[];
  /** Sends a request with the token. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** Asks a model by Chat Completions. */
  ask(model: string, more?: object, init?: RequestInit): Promise<Response>;
  /** The living processes of its CLIs. */
  processes(): Promise<readonly number[]>;
};

type Options = Partial<Omit<ServeOptions, "client">> &
  Pick<ClientOptions, "onRun" | "aliases"> & {
    readonly policies?: PolicyOptions | false;
    readonly providers?: readonly Provider[];
    readonly env?: Readonly<Record<string, string>>;
  };

/** Serves the CLIs of a client at a free port until the end of the test. */
export async function openServer(options: Partial<ServeOptions> & Pick<ServeOptions, "client">): Promise<ServedGateway> {
  const served = await serveGateway({ token: TOKEN, port: 0, ...options });
  onTestFinished(() => served.close());
  return served;
}

/** Serves a gateway at a free port; after the test it is closed, and none of its processes may be left. */
export async function serve({
  policies = {},
  providers,
  env = {},
  onRun,
  aliases = {},
  ...options
}: Options = {}): Promise<Served> {
  const scope = openTestScope();
  const state = join(scope.directory, "state");
  const client = createClient({
    policies,
    aliases,
    env: { ...scope.env, ...env, XDG_STATE_HOME: state, GATEWAY_TEST: scope.directory },
    ...(providers !== undefined && { providers }),
    ...(onRun !== undefined && { onRun }),
  });
  const entries: RequestEntry[] = [];
  const onRequest = (entry: RequestEntry): void => void entries.push(entry);
  const served = await openServer({ onRequest, ...options, client });
  const processes = (): Promise<readonly number[]> => processesWith("GATEWAY_TEST", scope.directory);
  onTestFinished(async () => {
    await served.close();
    await client.close();
    await untilGone(processes);
  });
  const send: Served["send"] = (path, { headers, ...init } = {}) =>
    fetch(`${served.url}${path}`, { ...init, headers: { authorization: `Bearer ${TOKEN}`, ...headers } });
  const ask: Served["ask"] = (model, more = {}, { headers, ...init } = {}) =>
    send("/v1/chat/completions", {
      method: "POST",
      body: JSON.stringify({ model, messages: [{ role: "user", content: "hi" }], ...more }),
      ...init,
      headers: { "content-type": "application/json", ...headers },
    });
  return { ...served, client, directory: scope.directory, entries, send, ask, processes };
}

/** What a server answers to these bytes, up to the end of the connection. */
export async function sendRaw(port: number, ...pieces: readonly (string | Buffer)[]): Promise<string> {
  return await new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", (error: NodeJS.ErrnoException) => (error.code === "ECONNRESET" ? resolve(text) : reject(error)));
    socket.on("close", () => resolve(text));
    for (const piece of pieces) socket.write(piece);
  });
}

/** A request with its head as raw text; the connection closes after the response. */
export function rawRequest(line: string, headers: Readonly<Record<string, string>> = {}, body: string | Buffer = ""): Buffer {
  const all: Readonly<Record<string, string>> = {
    host: "127.0.0.1",
    authorization: `Bearer ${TOKEN}`,
    connection: "close",
    ...(body.length > 0 && { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${line} HTTP/1.1\r\n${head.join("")}\r\n`, "latin1"), Buffer.from(body)]);
}

/** The status and the JSON body of a raw response. */
export function readRaw(text: string): { readonly status: number; readonly body: unknown } {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), body: body === "" ? undefined : JSON.parse(body) };
}
