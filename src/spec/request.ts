import type { Budget } from "./client-options.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { Image, Message, NativeTool, ToolChoice, ToolDefinition } from "./message.ts";
import type { Capabilities } from "./provider/cli-data.ts";
import type { OutputSchema } from "./standard-schema.ts";

/** A provider, optionally with a model and a profile. */
export type Target = {
  readonly provider: string;
  readonly model?: string;
  /** The login to use: the directory that holds the CLI's configuration. */
  readonly profile?: string;
  readonly transport?: "auto" | "spawn" | "resident";
  /** Capabilities that the provider must have; of the MCP transports it must have those named. */
  readonly requires?: Partial<Capabilities>;
};

/** A target as a name (docs/library.md has their grammar), or as an object, whose provider is an id or an alias of a provider. */
export type TargetChoice = string | Target;

/** The targets of a run: the first is asked, and the others stand in for it in their order. */
export type Targets = readonly [Target, ...Target[]];

/** The name of a target: its provider, or provider/model. */
export function targetName({ provider, model }: Pick<Target, "provider" | "model">): string {
  return model === undefined ? provider : `${provider}/${model}`;
}

/** `completion`: the CLI answers as a plain model. `agent`: it works in a directory with its own tools. */
export type RunMode = "completion" | "agent";

/** What the CLI may do without asking; `bypass` allows everything. */
export type PermissionMode = "default" | "plan" | "accept-edits" | "dont-ask" | "bypass";

/** What the CLI may do in agent mode. */
export type Permissions = {
  readonly mode?: PermissionMode;
  /** The tools that are available; all by default. */
  readonly tools?: readonly string[];
  /** Patterns of tool calls that may run without asking, such as `Bash(git status)`. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
};

/** An MCP server that the CLI starts or connects to. */
export type McpServer = (
  | { readonly command: string; readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> }
  | { readonly type: "http" | "sse"; readonly url: string; readonly headers?: Readonly<Record<string, string>> }
) & {
  /** True: the run fails if the server is not available at its start. By default that is a warning. */
  readonly required?: boolean;
};

/** MCP servers by their names. */
export type McpServers = Readonly<Record<string, McpServer>>;

/**
 * The session of the run: a new one that can be resumed (with a chosen id or the CLI's own), or an earlier one, continued or
 * forked. Without a choice a completion is not stored.
 */
export type SessionChoice =
  | { readonly id: string }
  | { readonly keep: true }
  | { readonly resume: string }
  | { readonly fork: string; readonly id?: string };

/** Timeouts of a run in milliseconds; each has its own failure code. */
export type Timeouts = {
  /** Until the CLI prints its first line; lines of the user's hooks do not count. */
  readonly firstEventMs?: number;
  /** Since the last output of the model or a tool. */
  readonly idleMs?: number;
  /** The idle timeout while the answer is complete and background work is still running; then the run ends with that answer. */
  readonly backgroundMs?: number;
  /** For one call of a host tool by `callTool`; the model then gets an error as its result. */
  readonly toolMs?: number;
  readonly totalMs?: number;
};

/** A conversation as messages, and the system prompt that goes with them. */
export type Conversation = { readonly messages: readonly Message[]; readonly system?: string };

/** The request for one CLI process: a prompt and its settings. */
export type PromptRequest = {
  readonly prompt: string;
  /** What prompt, images and system prompt say, for a wire that takes messages as such (`takesMessages`); others ignore it. */
  readonly conversation?: Conversation;
  /** Images that go with the prompt, in this order. */
  readonly images?: readonly Image[];
  /** The system prompt; it replaces the CLI's own unless `systemMode` is `append`. */
  readonly system?: string;
  readonly systemMode?: "replace" | "append";
  readonly mode?: RunMode;
  readonly cwd?: string;
  readonly addDirs?: readonly string[];
  readonly permissions?: Permissions;
  /**
   * True: an agent also starts what the project names: hooks, plugins, MCP servers, discovery commands, agent definitions. The project is what
   * lies in `cwd` and above it up to the root of the repository. False (default): its files start nothing with Claude Code,
   * GLM, Gemini and Qwen Code; the other CLIs do not read this field yet.
   */
  readonly trustProject?: boolean;
  /**
   * What happens to background commands and sub-agents of an agent. `wait` (default): the run ends after them, if the CLI
   * continues by itself. `off`: Claude Code and GLM start none; for other CLIs the setting is left out with a warning.
   */
  readonly backgroundTasks?: "wait" | "off";
  readonly session?: SessionChoice;
  readonly mcpServers?: McpServers;
  /** Host tools that the CLI offers the model as tools of its own; those that go into the prompt are not among them. */
  readonly nativeTools?: readonly NativeTool[];
  /** The server among `mcpServers` that offers the host tools; their calls are allowed, whatever the permissions are. */
  readonly hostServer?: string;
  readonly outputSchema?: JsonObject;
  readonly maxTurns?: number;
  readonly maxOutputTokens?: number;
  readonly effort?: "low" | "medium" | "high" | "max";
  /** Added to the environment of the CLI. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The credentials to use: any that exist, the CLI's own login (API keys are hidden from it), or an API key (one must exist).
   */
  readonly auth?: "inherit" | "subscription" | "api-key";
  /** Fails the run on settings that the CLI does not support, instead of omitting them with a warning. */
  readonly strict?: boolean;
  /** Whether a denied tool call fails the run; by default it is only reported. */
  readonly onPermissionDenied?: "warn" | "error";
  readonly timeouts?: Timeouts;
  /** The budget of this run, all attempts together. An attempt gets what is left of it and of the client's. */
  readonly budget?: Budget;
  /** Returned in `run-start`; never sent to the CLI. */
  readonly metadata?: Readonly<Record<string, JsonValue>>;
};

/** The request of a run without its prompt or messages. */
type RunOptions<Schema> = Omit<PromptRequest, "prompt" | "conversation" | "outputSchema" | "nativeTools" | "hostServer"> & {
  /** The schema of the answer; the value is in `object` of the result. */
  readonly outputSchema?: Schema;
  /** Host tools that the model may call. `callTool` of the context runs the calls; without it the run ends with them. */
  readonly tools?: readonly ToolDefinition[];
  /**
   * How host tools reach the model: `native` as tools of the CLI, `text` in the prompt. `auto` (default) is native where the CLI and the
   * tools allow it.
   */
  readonly hostTools?: "auto" | "native" | "text";
  readonly toolChoice?: ToolChoice;
  /**
   * What happens if the model calls an unknown tool or gives wrong arguments, and its correction does so again: `fail` (default) ends
   * the run with `tool-call-unreadable`, `return` ends it with these calls in `invalidCalls`, and no call is made.
   */
  readonly invalidCalls?: "fail" | "return";
  /** The encoding of a conversation for the CLI; XML by default, and a single user message as plain text. */
  readonly threadEncoding?: "xml" | "text";
  /**
   * True: if the first message after the system messages is of the user and already is a `<thread>`, it is sent as that thread. Its
   * author then writes events of any type, also instructions of the system, so it must not come from outside.
   */
  readonly trustThread?: boolean;
  /**
   * False: calls of host tools by text need no mark of their conversation. Then a call that the model only repeats, such as one in a web page
   * or a tool result, is made.
   */
  readonly marks?: boolean;
  /** How long the run may wait for one target: all delays between attempts together, and each wait in the queue. */
  readonly maxWaitMs?: number;
};

/** The request of a run as plain JSON: it can be stored, compared and replayed. It has either a prompt or messages. */
export type RunRequest<Schema = JsonObject> = RunOptions<Schema> & {
  readonly prompt?: string;
  readonly messages?: readonly Message[];
} & ({ readonly prompt: string } | { readonly messages: readonly Message[] });

/** The request of a run as a caller writes it: its schema may be a schema of Zod or of another library. */
export type RunInput<Output = unknown> = RunRequest<OutputSchema<Output>>;
