import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type PermissionFlags, toEntries } from "./own-tools.ts";
import { isSessionId, readSession, type SessionPrompts } from "./sessions.ts";

export type RehearsalOptions = {
  readonly model: string;
  readonly sessionId: string;
  /** The prompts of the session that is resumed or forked. */
  readonly earlier: SessionPrompts;
  /** False with `--no-session-persistence`. */
  readonly keepsSession: boolean;
  readonly permissions: PermissionFlags;
  /** True when the host answers permission requests on stdin. */
  readonly asksPermission: boolean;
  readonly systemPrompt: string;
  readonly schema?: string;
};

export type ReadArguments =
  | { readonly kind: "run"; readonly options: RehearsalOptions }
  | { readonly kind: "version" }
  | { readonly kind: "error"; readonly message: string };

const VALUE_FLAGS = [
  ...["add-dir", "allowedTools", "append-system-prompt", "append-system-prompt-file", "disallowedTools", "effort"],
  ...["fallback-model", "input-format", "json-schema", "max-budget-usd", "max-thinking-tokens", "max-turns", "mcp-config"],
  ...["model", "output-format", "permission-mode", "permission-prompt-tool", "plugin-dir", "session-id", "setting-sources"],
  ...["settings", "system-prompt", "system-prompt-file", "tools"],
];

const SWITCHES = [
  ...["bare", "dangerously-skip-permissions", "disable-slash-commands", "fork-session", "include-partial-messages"],
  ...["no-session-persistence", "replay-user-messages", "safe-mode", "strict-mcp-config", "verbose"],
];

const LIST_FLAGS: readonly string[] = ["allowedTools", "disallowedTools", "tools"];

const OPTIONS: Readonly<Record<string, { readonly type: "string" | "boolean"; readonly short?: string }>> = {
  ...Object.fromEntries(VALUE_FLAGS.map((name) => [name, { type: "string" }])),
  ...Object.fromEntries(SWITCHES.map((name) => [name, { type: "boolean" }])),
  continue: { type: "boolean", short: "c" },
  print: { type: "boolean", short: "p" },
  resume: { type: "string", short: "r" },
  version: { type: "boolean", short: "v" },
};

/** Parses the flags of the Claude CLI; flags without an effect on the rehearsal are accepted and ignored. */
export function readArguments(argv: readonly string[]): ReadArguments {
  const { tokens } = parseArgs({ args: [...argv], options: OPTIONS, strict: false, tokens: true });
  const values = new Map<string, string>();
  let list = "";
  for (const token of tokens) {
    if (token.kind === "positional" && list !== "") values.set(list, `${values.get(list)} ${token.value}`);
    if (token.kind !== "option") continue;
    if (!Object.hasOwn(OPTIONS, token.name)) return { kind: "error", message: `error: unknown option '${token.rawName}'` };
    if (OPTIONS[token.name]?.type === "string" && token.value === undefined) {
      return { kind: "error", message: `error: option '${token.rawName} <value>' argument missing` };
    }
    values.set(token.name, token.value ?? "");
    list = LIST_FLAGS.includes(token.name) ? token.name : "";
  }
  return values.has("version") ? { kind: "version" } : readRun(values);
}

/** The error texts are those of the Claude CLI (fixture session-id-not-uuid; src/clis/claude/faults.ts). */
function readRun(values: ReadonlyMap<string, string>): ReadArguments {
  const [chosen, resumed] = [values.get("session-id"), values.get("resume")];
  if (chosen !== undefined && !isSessionId(chosen)) {
    return { kind: "error", message: "Error: Invalid session ID. Must be a valid UUID." };
  }
  if (resumed === undefined) return { kind: "run", options: toOptions(values, []) };
  if (!isSessionId(resumed)) return { kind: "error", message: "Error: --resume requires a valid session ID" };
  const earlier = readSession(resumed);
  if (earlier === undefined) return { kind: "error", message: `No conversation found with session ID: ${resumed}` };
  return { kind: "run", options: toOptions(values, earlier) };
}

function toOptions(values: ReadonlyMap<string, string>, earlier: SessionPrompts): RehearsalOptions {
  const resumed = values.has("fork-session") ? undefined : values.get("resume");
  const schema = values.get("json-schema");
  const file = values.get("system-prompt-file") ?? values.get("append-system-prompt-file");
  return {
    model: values.get("model") ?? "friendly",
    sessionId: values.get("session-id") ?? resumed ?? randomUUID(),
    earlier,
    keepsSession: !values.has("no-session-persistence"),
    permissions: toPermissions(values),
    asksPermission: values.get("permission-prompt-tool") === "stdio",
    systemPrompt: values.get("system-prompt") ?? values.get("append-system-prompt") ?? readText(file),
    ...(schema === undefined ? {} : { schema }),
  };
}

function toPermissions(values: ReadonlyMap<string, string>): PermissionFlags {
  const tools = values.get("tools");
  return {
    mode: values.has("dangerously-skip-permissions") ? "bypassPermissions" : (values.get("permission-mode") ?? "default"),
    ...(tools === undefined ? {} : { tools: toEntries(tools) }),
    allow: toEntries(values.get("allowedTools") ?? ""),
    deny: toEntries(values.get("disallowedTools") ?? ""),
  };
}

function readText(file: string | undefined): string {
  try {
    return file === undefined ? "" : readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
