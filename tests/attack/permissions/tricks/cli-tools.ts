import type { JsonObject } from "../../../../src/spec/json.ts";
import type { FakeToolCall } from "../../../../src/testing/index.ts";
import type { CliName } from "../../../support/real-clis/rows/cli-row.ts";
import type { Trick } from "../trick.ts";

/** The CLIs of the attack; GLM is Claude Code. */
export const CLIS: readonly ["claude", "codex", "gemini", "qwen", "opencode", "copilot", "grok"] = [
  "claude",
  "codex",
  "gemini",
  "qwen",
  "opencode",
  "copilot",
  "grok",
] as const satisfies readonly CliName[];
export type AttackedCli = (typeof CLIS)[number];

/** A tool that writes files: a new one, or a changed one whose text contains `alpha`. */
export type Writer = {
  readonly name: string;
  readonly toCall: (path: string, text: string) => FakeToolCall;
  /** True if nothing is left of the earlier text, in which other tricks may have left their marks. */
  readonly replacesAll?: boolean;
};

/** The tools of a CLI, as its model calls them. */
export type CliTools = {
  /** Make a new file. */
  readonly makers: readonly Writer[];
  /** Change an existing file. */
  readonly editors: readonly Writer[];
  /** Reads a file; some CLIs edit only what was read. */
  readonly reader?: (path: string) => FakeToolCall;
  /** The calls that begin and end planning, in the variants that a model could try. */
  readonly plans: Readonly<Record<string, readonly FakeToolCall[]>>;
  /** Calls that start a sub-agent with a prompt. */
  readonly agents: Readonly<Record<string, (prompt: string) => FakeToolCall>>;
  /** Calls that load deferred tools. */
  readonly loaders: readonly FakeToolCall[];
  /** Tools that call other tools. */
  readonly callers: readonly ((name: string, input: JsonObject) => FakeToolCall)[];
  /** The tools that are known besides those that the CLI offers. */
  readonly known: readonly string[];
  /** Calls of tools that start or leave something in their own way, with arguments that the CLI accepts. */
  readonly specials: Readonly<Record<string, Trick["toCall"]>>;
  /** The name of a tool of an MCP server. */
  readonly mcpTool: (server: string, tool: string) => Pick<FakeToolCall, "name" | "namespace">;
};
