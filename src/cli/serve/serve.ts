import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import type { Client } from "../../client.ts";
import { isLoopback } from "../../gateway/check-access.ts";
import { DEFAULT_LIMITS } from "../../gateway/gateway-options.ts";
import type { AgentAccess, ServedGateway, ServeOptions } from "../../gateway/index.ts";
import type { PolicyOptions } from "../../spec/client-options.ts";
import { thrownCode, thrownMessage } from "../../spec/failure/failure.ts";
import { defined } from "../../spec/json.ts";
import { EXIT, SERVE_EXIT_WORDS } from "../exit-codes.ts";
import { clientWith, readOwnFiles } from "../open-client.ts";
import { socketPath } from "../remote/ask-line.ts";
import { environmentDigest } from "../remote/environment-digest.ts";
import { type ServedAsks, serveAsks } from "../remote/serve-asks.ts";
import { helpAfter } from "../terminal/help-text.ts";
import { processScreen } from "../terminal/screen.ts";
import { UsageError } from "../usage-error.ts";
import { addServeOptions, type ServeFlags } from "./serve-flags.ts";
import { announce, requestLog, sayThatItWaits } from "./serve-lines.ts";

export function addServeCommand(program: Command, exit: (code: number) => void): void {
  const serve = program
    .command("serve")
    .summary("offer the CLIs as an OpenAI- and Anthropic-compatible API")
    .description(
      "Answer requests of programs that use the API of OpenAI or Anthropic, by the CLIs that you are logged in to. It listens on this machine only and requires a token. Ctrl-C or SIGTERM stops it: answers in progress may finish, a second signal cancels them.",
    )
    .usage("[options] [token]");
  addServeOptions(serve);
  serve
    .addHelpText("after", helpAfter(EXAMPLES, [], SERVE_EXIT_WORDS))
    .action(async (flags: ServeFlags) => exit(await runGateway(flags)));
  serve
    .command("token")
    .summary("print the token that requests must carry")
    .description("Print the token of your gateways. It is made at the first start and stored in a private file.")
    .option("--renew", "make a new token; a running gateway takes it after a restart")
    .addHelpText("after", helpAfter(["cox serve token", "cox serve token --renew"]))
    .action(async ({ renew = false }: { readonly renew?: boolean }) => {
      const { readToken } = await import("../../gateway/index.ts");
      processScreen().out(`${readToken(process.env, { renew }).token}\n`);
      exit(EXIT.answered);
    });
}

const EXAMPLES = ["cox serve", "cox serve token", "cox serve --port 9000 --concurrency 4", "cox serve --allow-agent ~/project"];

async function runGateway(flags: ServeFlags): Promise<number> {
  refuseOwnAddress(flags.port);
  const files = readOwnFiles(flags.config);
  const agent = agentAccess(flags);
  const { readToken, serveGateway } = await import("../../gateway/index.ts");
  const stored = flags.auth ? readToken(process.env) : undefined;
  const client = await clientWith(files, toPolicies(flags), flags);
  try {
    const served = await listen(serveGateway, {
      client,
      token: stored?.token ?? false,
      host: flags.host,
      port: flags.port,
      ...defined({ hosts: flags.allowHost, origins: flags.allowOrigin, agent }),
      limits: { ...bodyLimits(flags), waitMs: flags.maxWait * 1000 },
      onRequest: requestLog(flags),
    });
    const asks = await serveTerminals(client, flags);
    // It listens before the address is shown: a program that reads the address may send a signal at once.
    const stopped = untilStopped(async (count) => {
      const drainMs = count === 1 ? flags.drainSeconds * 1000 : 0;
      const notice = drainMs === 0 || flags.quiet ? undefined : setTimeout(sayThatItWaits, NOTICE_MS, flags);
      await Promise.all([served.close(drainMs), asks?.close(drainMs)]).finally(() => clearTimeout(notice));
    });
    announce(served, stored?.path, client, flags);
    await stopped;
    return EXIT.answered;
  } finally {
    await client.close();
  }
}

const MEGABYTE = 1024 * 1024;

function bodyLimits({ maxBody, maxBodies }: ServeFlags): { readonly bodyBytes: number; readonly bodiesBytes: number } {
  return { bodyBytes: maxBody * MEGABYTE, bodiesBytes: maxBodies * MEGABYTE };
}

/** A gateway without answers in progress has ended by then. */
const NOTICE_MS = 300;

/** Answers `cox ask` of this user too; a gateway without the socket for it works all the same. */
async function serveTerminals(client: Client, flags: ServeFlags): Promise<ServedAsks | undefined> {
  const path = socketPath();
  if (path === undefined) return undefined;
  const host = {
    client,
    retries: flags.retries,
    limits: { bodyMs: DEFAULT_LIMITS.bodyMs, ...bodyLimits(flags) },
    environment: (ids: readonly string[]) => environmentDigest(process.env, ids),
    onRequest: requestLog(flags),
  };
  return await serveAsks(path, host).catch(() => undefined);
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there",
  EACCES: "this user may not listen there",
  EADDRNOTAVAIL: "this machine does not have the address",
  ENOTFOUND: "there is no such address",
};

async function listen(serve: (options: ServeOptions) => Promise<ServedGateway>, options: ServeOptions): Promise<ServedGateway> {
  try {
    return await serve(options);
  } catch (error) {
    const reason = REASONS[thrownCode(error) ?? ""];
    if (reason !== undefined)
      throw new UsageError(
        `cox serve cannot listen at ${options.host}:${options.port}: ${reason}.`,
        "Choose another --port or --host.",
      );
    if (error instanceof TypeError) throw new UsageError(thrownMessage(error), "Leave --no-auth out, or listen at 127.0.0.1.");
    throw error;
  }
}

function refuseOwnAddress(port: number): void {
  const variable = variableWithOwnAddress(process.env, port);
  if (variable === undefined) return;
  throw new UsageError(
    `${variable} has the address of this gateway, so its CLIs would ask the gateway itself.`,
    `Start it without the variable: env -u ${variable} cox serve`,
  );
}

function agentAccess({ allowAgent, permissionMode, trustProject }: ServeFlags): AgentAccess | undefined {
  if (allowAgent === undefined) {
    if (permissionMode === undefined && trustProject === undefined) return undefined;
    const flag = permissionMode === undefined ? "--trust-project" : "--permission-mode";
    throw new UsageError(`${flag} needs --allow-agent.`, "Add it, or remove the option.");
  }
  const directory = resolve(allowAgent);
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`--allow-agent ${allowAgent} is not a directory.`, "Name an existing directory.");
  const permissions = permissionMode === undefined ? {} : { permissions: { mode: permissionMode } };
  return { directory, ...permissions, ...(trustProject === true && { trustProject }) };
}

function toPolicies({ retries, concurrency, queue }: ServeFlags): PolicyOptions {
  return { retry: { retries }, limit: defined({ perProvider: concurrency, total: concurrency, queue }) };
}

/**
 * The variable of the environment that names the port of a gateway on this machine as the API of a CLI, such as `ANTHROPIC_BASE_URL`. The CLIs
 * of that gateway would ask the gateway itself, without end. Undefined if there is none.
 */
export function variableWithOwnAddress(env: NodeJS.ProcessEnv, port: number): string | undefined {
  return Object.keys(env).find((name) => /_(?:BASE_URL|API_BASE)$/.test(name) && isAtPort(env[name] ?? "", port));
}

function isAtPort(address: string, port: number): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return isLoopback(url.hostname) && Number(url.port) === port;
}

/**
 * Waits for SIGINT or SIGTERM, then for `stop`. Each further signal calls it again with its count, so that it can hurry. Removes its
 * handlers when it has stopped.
 */
async function untilStopped(stop: (count: number) => Promise<void>): Promise<void> {
  // A server listens as long as this process runs, so nothing else has to keep it alive.
  await new Promise<void>((resolve, reject) => {
    let count = 0;
    const onSignal = (): void => {
      count += 1;
      stop(count).then(finish, reject);
    };
    const finish = (): void => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, onSignal);
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal);
  });
}
