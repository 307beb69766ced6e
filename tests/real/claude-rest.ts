import { expect } from "vitest";
import { type JsonObject, listOf, objectOf, stringOf } from "../../src/spec/json.ts";
import { compareVersions } from "../../src/spec/provider/cli-data.ts";

/** What a version of Claude Code sends with a completion besides the caller's texts; no flag prevents it. */
export type ClaudeRest = {
  /** Requests before the one to the model. */
  readonly before: readonly string[];
  /** The blocks before the system prompt. */
  readonly system: readonly unknown[];
  /** The texts before the prompt. */
  readonly user: readonly unknown[];
  /** The messages after the prompt. */
  readonly after: readonly unknown[];
  readonly fields: Readonly<Record<string, unknown>>;
};

/** The extra content of the version that sent a request: that of the newest known version up to it. */
export function claudeRestOf(body: JsonObject): ClaudeRest {
  const billing = stringOf(objectOf(listOf(body["system"])[0])?.["text"]) ?? "";
  const version = /^x-anthropic-billing-header: cc_version=(\d+\.\d+\.\d+)\.[0-9a-f]{3}; cc_entrypoint=sdk-cli;$/.exec(
    billing,
  )?.[1];
  const known = Object.keys(RESTS).findLast((each) => version !== undefined && compareVersions(each, version) <= 0);
  const rest = RESTS[known ?? ""];
  if (rest === undefined) throw new Error(`what Claude Code sends besides is not known after "${billing}"`);
  return { ...rest, system: [billing, "You are a Claude agent, built on Anthropic's Claude Agent SDK."] };
}

/** 2.1.197 sends the date and nothing about the machine. */
const CURRENT_DATE =
  /^<system-reminder>\nAs you answer the user's questions, you can use the following context:\n# currentDate\nToday's date is \d{4}-\d\d-\d\d\.\n\n {6}IMPORTANT: this context may or may not be relevant to your tasks\. You should not respond to this context unless it is highly relevant to your task\.\n<\/system-reminder>\n\n$/;

/** By the first version that sends it, oldest first. */
const RESTS: Readonly<Record<string, Omit<ClaudeRest, "system">>> = {
  "2.1.197": {
    before: ["HEAD /"],
    user: [expect.stringMatching(CURRENT_DATE)],
    after: [],
    fields: {
      model: "claude-opus-4-8",
      max_tokens: 64_000,
      thinking: { type: "adaptive" },
      output_config: { effort: "high" },
    },
  },
  "2.1.325": {
    before: [],
    user: [],
    // The attachments are removed; their message still carries the effort, as with the CLI's own `--bare`.
    after: [{ role: "system", content: [], output_config: { effort: "medium" } }],
    fields: {
      model: "claude-opus-5-5",
      max_tokens: 128_000,
      thinking: { type: "adaptive", display: "updates" },
      output_config: { effort: "medium" },
    },
  },
};
