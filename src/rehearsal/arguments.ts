import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

/** The options of the rehearsal CLI. */
export type RehearsalOptions = {
  readonly model: string;
  readonly sessionId: string;
  readonly tools: readonly string[];
  readonly permissionMode: string;
  /** True when the host answers permission requests on stdin. */
  readonly asksPermission: boolean;
  readonly systemPrompt: string;
  /** JSON text of the schema that the answer must match. */
  readonly schema?: string;
};

/** A parsed command line: a run, the version, or an error message. */
export type ReadArguments =
  | { readonly kind: "run"; readonly options: RehearsalOptions }
  | { readonly kind: "version" }
  | { readonly kind: "error"; readonly message: string };

const VALUE_FLAGS = [
  "add-dir",
  "allowedTools",
  "append-system-prompt",
  "append-system-prompt-file",
  "disallowedTools",
  "effort",
  "fallback-model",
  "input-format",
  "json-schema",
  "max-budget-usd",
  "max-thinking-tokens",
  "max-turns",
  "mcp-config",
  "model",
  "output-format",
  "permission-mode",
  "permission-prompt-tool",
  "plugin-dir",
  "session-id",
  "setting-sources",
  "settings",
  "system-prompt",
  "system-prompt-file",
  "tools",
];

const SWITCHES = [
  "bare",
  "dangerously-skip-permissions",
  "disable-slash-commands",
  "fork-session",
  "include-partial-messages",
  "no-session-persistence",
  "replay-user-messages",
  "safe-mode",
  "strict-mcp-config",
  "verbose",
];

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
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    if (!Object.hasOwn(OPTIONS, token.name)) return { kind: "error", message: `error: unknown option '${token.rawName}'` };
    if (OPTIONS[token.name]?.type === "string" && token.value === undefined) {
      return { kind: "error", message: `error: option '${token.rawName} <value>' argument missing` };
    }
    values.set(token.name, token.value ?? "");
  }
  return values.has("version") ? { kind: "version" } : { kind: "run", options: toOptions(values) };
}

function toOptions(values: ReadonlyMap<string, string>): RehearsalOptions {
  const resumed = values.has("fork-session") ? undefined : values.get("resume");
  const schema = values.get("json-schema");
  const file = values.get("system-prompt-file") ?? values.get("append-system-prompt-file");
  return {
    model: values.get("model") ?? "friendly",
    sessionId: values.get("session-id") ?? resumed ?? randomUUID(),
    tools: (values.get("tools") ?? "").split(",").filter((name) => name !== ""),
    permissionMode: values.get("permission-mode") ?? "default",
    asksPermission: values.get("permission-prompt-tool") === "stdio",
    systemPrompt: values.get("system-prompt") ?? values.get("append-system-prompt") ?? readText(file),
    ...(schema === undefined ? {} : { schema }),
  };
}

function readText(file: string | undefined): string {
  try {
    return file === undefined ? "" : readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
