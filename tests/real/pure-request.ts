import { createHash } from "node:crypto";
import { expect } from "vitest";
import { type JsonObject, type JsonValue, objectOf, stringOf } from "../../src/spec/json.ts";
import type { FakeApiRequest } from "../../src/testing/index.ts";
import type { DeepCliName } from "../support/real-clis/real-cli.ts";
import { claudeRestOf } from "./claude-rest.ts";

/** The caller's texts: the only content of a request besides what no flag of the CLI removes. */
export type Given = { readonly prompt: string; readonly system?: string };

/** The request is exactly the caller's texts and the known extra content; it throws for anything that a new version adds. */
export function expectPureRequest(name: DeepCliName, request: FakeApiRequest | undefined, given: Given): void {
  const body = objectOf(request?.body);
  if (body === undefined) throw new Error("no request for the model arrived");
  expect(shorten(name === "claude" ? body : withOpenMetadata(body))).toStrictEqual(PURE_BODIES[name](given, body));
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const LONGEST_SHOWN = 10_000;

/** Long texts are compared by their digest, so that a difference stays readable. */
function shortenText(text: string): string {
  if (text.length <= LONGEST_SHOWN) return text;
  return `${Buffer.byteLength(text)} bytes ${createHash("sha256").update(text).digest("hex")}`;
}

function shorten(value: JsonValue): JsonValue {
  if (typeof value === "string") return shortenText(value);
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shorten(part)]));
}

const PURE_BODIES: Readonly<Record<DeepCliName, (given: Given, body: JsonObject) => unknown>> = {
  claude: ({ prompt, system }, body) => {
    const rest = claudeRestOf(body);
    const blocks = [...rest.system, ...(system === undefined ? [] : [shortenText(system)])].map(claudeText);
    return {
      messages: [
        { role: "user", content: [...rest.user.map(claudeText), cached(claudeText(shortenText(prompt)))] },
        ...rest.after,
      ],
      system: blocks.map((block, index) => (index === 0 ? block : cached(block))),
      tools: [],
      metadata: {
        user_id: expect.stringMatching(/^\{"device_id":"[0-9a-f]{64}","account_uuid":"","session_id":"[0-9a-f-]{36}"\}$/),
      },
      context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
      stream: true,
      ...rest.fields,
    };
  },
  codex: ({ prompt, system }, body) => ({
    model: "gpt-6.1-sol",
    input: [...(system === undefined ? [] : [codexMessage("developer", system)]), codexMessage("user", prompt)],
    tools: [],
    tool_choice: "auto",
    parallel_tool_calls: true,
    reasoning: { summary: "auto" },
    store: false,
    stream: true,
    include: ["reasoning.encrypted_content"],
    prompt_cache_key: expect.stringMatching(UUID),
    client_metadata: {
      ...CODEX_METADATA,
      "x-codex-turn-metadata": { ...CODEX_TURN, ...(isOfExec(body) && CODEX_EXEC) },
    },
  }),
};

function claudeText(text: unknown): object {
  return { type: "text", text };
}

function cached(block: object): object {
  return { ...block, cache_control: { type: "ephemeral" } };
}

function codexMessage(role: "developer" | "user", text: string): object {
  const id = expect.stringMatching(/^msg_[0-9a-f-]{36}$/);
  return { type: "message", id, role, content: [{ type: "input_text", text: shortenText(text) }] };
}

const CODEX_IDS = {
  session_id: expect.stringMatching(UUID),
  thread_id: expect.stringMatching(UUID),
  turn_id: expect.stringMatching(UUID),
  root_turn_id: expect.stringMatching(UUID),
};

const CODEX_METADATA = {
  ...CODEX_IDS,
  "x-codex-installation-id": expect.stringMatching(UUID),
  "x-codex-window-id": expect.stringMatching(/^[0-9a-f-]{36}:0$/),
};

/** The app-server says neither. */
const CODEX_EXEC = { thread_source: "user", turn_trigger: "exec" };

const CODEX_TURN = {
  ...CODEX_IDS,
  installation_id: expect.stringMatching(UUID),
  window_id: expect.stringMatching(/^[0-9a-f-]{36}:0$/),
  window_number: 0,
  context_window_id: expect.stringMatching(UUID),
  agent_name: "/root",
  request_kind: "turn",
  history_initialization: "new",
  sandbox: "seccomp",
  sandbox_mode: "read-only",
  auto_review_enabled: false,
  node_repl_auto_review_required: false,
  node_repl_disabled: false,
  turn_started_at_unix_ms: expect.any(Number),
  analytics_enabled: false,
  model: "gpt-6.1-sol",
};

function isOfExec(body: JsonObject): boolean {
  return stringOf(objectOf(body["client_metadata"])?.["x-codex-turn-metadata"])?.includes('"turn_trigger"') === true;
}

/** Codex sends part of its metadata as JSON in a string. */
function withOpenMetadata(body: JsonObject): JsonObject {
  const metadata = objectOf(body["client_metadata"]) ?? {};
  const turn = JSON.parse(stringOf(metadata["x-codex-turn-metadata"]) ?? "null") as JsonValue;
  return { ...body, client_metadata: { ...metadata, "x-codex-turn-metadata": turn } };
}
