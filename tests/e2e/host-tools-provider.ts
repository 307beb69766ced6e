import { defineDialect, defineProvider, type Provider } from "../../src/index.ts";
import type { DialectStep, TurnEnd } from "../../src/spec/dialect.ts";
import type { EventDraft } from "../../src/spec/events.ts";
import type { JsonValue } from "../../src/spec/json.ts";
import type { PromptRequest } from "../../src/spec/request.ts";

/** An output line of the CLI of these tests: an event, or the end of the turn. */
export type Line = { readonly event: EventDraft } | { readonly end: TurnEnd };

/** The fields of the request that the CLI gets as arguments; the prompt is on stdin. */
export type Told = Pick<PromptRequest, "system" | "systemMode" | "session" | "images" | "outputSchema">;

/** A CLI without its own tools and schema option, whose output lines are the events themselves. */
export const plainCli: Provider = defineProvider({
  id: "plain",
  aliases: [],
  label: "Plain",
  binary: { script: new URL("./host-tools-program.ts", import.meta.url) },
  install: "built in",
  capabilities: {
    streaming: "token",
    reasoning: true,
    sessions: true,
    systemPrompt: "replace",
    ownTools: "off",
    hostTools: "text",
    mcp: [],
    structuredOutput: "text",
    images: false,
    resident: false,
    usage: "turn",
    cost: true,
    permissionRequests: false,
  },
  options: ["session-id", "session-resume", "session-fork"],
  env: { set: {}, strip: [], apiKeys: [] },
  launch: ({ prompt, system, systemMode, session, images, outputSchema }) => ({
    args: [JSON.stringify({ system, systemMode, session, images, outputSchema })],
    stdin: { text: prompt, close: "now" },
  }),
  formats: { "stream-json": defineDialect({ start: () => ({}), step: (_state, native) => readLine(native) }) },
  defaultFormat: "stream-json",
  faults: [{ kind: "overloaded", code: "overloaded" }],
  limits: { promptBytes: 1024 * 1024 },
  stopSignal: "SIGTERM",
  models: ["plain-model"],
  versionsChecked: { oldest: "0.0.0", newest: "0.0.0" },
});

/** The same CLI with its own schema option. */
export const schemaCli: Provider = defineProvider({
  ...plainCli,
  capabilities: { ...plainCli.capabilities, structuredOutput: "native" },
  options: [...plainCli.options, "output-schema"],
});

/** The same CLI with support for images. */
export const imageCli: Provider = defineProvider({
  ...plainCli,
  capabilities: { ...plainCli.capabilities, images: true },
  options: [...plainCli.options, "images"],
});

function readLine(native: JsonValue): DialectStep {
  if (typeof native === "string") return { events: [{ type: "native", text: native }] };
  const line = native as Line;
  return "event" in line ? { events: [line.event] } : { events: [], turnEnd: line.end };
}
