import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Client } from "../../client.ts";
import { isLoopback } from "../../gateway/check-access.ts";
import type { RequestEntry, ServedGateway, ServeOptions } from "../../gateway/index.ts";
import { firstInstalled } from "../find-provider.ts";
import { type Colors, printJson, processScreen } from "../terminal/screen.ts";
import { shortPath, toDuration, toJsonText, toOneLine } from "../terminal/terminal-text.ts";
import type { ServeFlags } from "./serve-flags.ts";

type Serving = {
  readonly url: string;
  readonly tokenPath?: string;
  /** True if other machines can reach the gateway. */
  readonly isOpen: boolean;
  readonly model: string;
};

export function servingLines({ url, tokenPath, isOpen, model }: Serving, { bold, cyan, dim, yellow }: Colors): string {
  const key = tokenPath === undefined ? "none" : "$(cox serve token)";
  const body = JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] });
  return [
    `${bold("Coxswain listens at")} ${cyan(url)}  ${dim("(Ctrl-C stops it)")}`,
    ...(tokenPath === undefined
      ? ["No token is required: every program of this machine can use your CLIs."]
      : [`The token is in ${shortPath(tokenPath)};`, `${bold("cox serve token")} prints it.`]),
    ...(isOpen
      ? [
          yellow("Other machines can reach it by the names of --allow-host."),
          "HTTP is not encrypted: use it in networks that you trust.",
        ]
      : []),
    "",
    dim("Try it:"),
    `  curl ${url}/v1/chat/completions \\`,
    ...(tokenPath === undefined ? [] : [`    -H "Authorization: Bearer ${key}" \\`]),
    `    -H "Content-Type: application/json" \\`,
    `    -d '${body}'`,
    dim("Or point a program at it:"),
    `  export OPENAI_BASE_URL=${url}/v1`,
    `  export OPENAI_API_KEY=${key}`,
    dim("Or one that uses the API of Anthropic:"),
    `  export ANTHROPIC_BASE_URL=${url}`,
    `  export ANTHROPIC_API_KEY=${key}`,
    "",
    "",
  ].join("\n");
}

const LONGEST_NAME = 60;

/** One line about a request of the gateway, without anything that the client wrote except the path and the model's name. */
function requestLine(entry: RequestEntry, at: Date, colors: Colors): string {
  const { method, path, status, ms, inputTokens, outputTokens, attempts = 1, failure } = entry;
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
  const parts = [
    `${toOneLine(method, 10)} ${toOneLine(path, LONGEST_NAME)}`,
    targetWords(entry),
    toDuration(ms),
    inputTokens === undefined && outputTokens === undefined ? "" : `${inputTokens ?? "?"}+${outputTokens ?? "?"} tokens`,
    attempts > 1 ? `${attempts} attempts` : "",
    failure ?? "",
  ];
  return `${colors.dim(time)} ${statusColor(status, colors)(String(status))} ${parts.filter((part) => part !== "").join("  ")}\n`;
}

function targetWords({ asked, provider, model }: RequestEntry): string {
  if (asked === undefined) return "";
  const answered = provider === undefined ? "" : ` → ${provider}${model === undefined ? "" : `/${model}`}`;
  return toOneLine(`${toOneLine(asked, LONGEST_NAME)}${answered}`, 3 * LONGEST_NAME);
}

function statusColor(status: number, { green, yellow, red }: Colors): (text: string) => string {
  if (status < 400) return green;
  return status < 500 ? yellow : red;
}

/** Fewer bytes of requests are not worth a collection, which takes a tenth of a second. */
const WORTH_BYTES = 16 * 1024 * 1024;
const QUIET_MS = 1000;

/**
 * Gives the memory of large requests back to the system: V8 collects it only when it needs memory itself, which a gateway without requests never
 * does. The returned function is called with the bytes of each request that has ended.
 */
function giveBackMemory(): (bytes: number) => void {
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const collect = (): void => {
    bytes = 0;
    // Node has no function for it; the flag adds one to contexts that are made later.
    setFlagsFromString("--expose-gc");
    (runInNewContext("gc") as () => void)();
  };
  return (more) => {
    bytes += more;
    clearTimeout(timer);
    if (bytes >= WORTH_BYTES) timer = setTimeout(collect, QUIET_MS).unref();
  };
}

export function requestLog({ json, quiet }: ServeFlags): NonNullable<ServeOptions["onRequest"]> {
  const { note, noteColors } = processScreen();
  const hasEnded = giveBackMemory();
  return (entry) => {
    hasEnded(entry.bodyBytes ?? 0);
    if (quiet) return;
    const at = new Date();
    note(json ? `${toJsonText({ type: "request", at: at.toISOString(), ...entry })}\n` : requestLine(entry, at, noteColors));
  };
}

export function announce({ url, port }: ServedGateway, tokenPath: string | undefined, client: Client, flags: ServeFlags): void {
  if (flags.quiet) return;
  const screen = processScreen();
  const token = tokenPath === undefined ? {} : { tokenPath };
  if (flags.json) return printJson(screen, { type: "listening", url, port, ...token });
  const first = firstInstalled(client.providers);
  screen.out(
    servingLines(
      { url, ...token, isOpen: !isLoopback(flags.host), model: "id" in first ? first.id : "rehearsal" },
      screen.outColors,
    ),
  );
}

export function sayThatItWaits({ drainSeconds, json }: ServeFlags): void {
  const words = `Waiting up to ${drainSeconds} s for answers in progress. Ctrl-C cancels them.`;
  processScreen().note(json ? `${toJsonText({ type: "draining", seconds: drainSeconds })}\n` : `${words}\n`);
}
