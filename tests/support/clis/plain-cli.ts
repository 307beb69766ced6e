import { defineProvider, defineWire, type Provider } from "../../../src/provider.ts";
import type { JsonValue } from "../../../src/spec/json.ts";
import type { PromptRequest } from "../../../src/spec/request.ts";
import type { EventDraft } from "../../../src/spec/wire/events.ts";
import type { TurnEnd, WireStep } from "../../../src/spec/wire/wire.ts";
import { PLAYER } from "./write-plays.ts";

/** An output line of the CLI of these tests: an event, or the end of the turn. */
export type Line = { readonly event: EventDraft } | { readonly end: TurnEnd };

/** The fields of the request that the CLI gets as arguments; the prompt is on stdin. */
export type Told = Pick<PromptRequest, "system" | "systemMode" | "session" | "images" | "outputSchema">;

/** A CLI without its own tools and schema option, whose output lines are the events themselves. */
export const plainCli: Provider = defineProvider({
  id: "plain",
  aliases: [],
  label: "Plain",
  binary: { names: [PLAYER] },
  install: "built in",
  traits: { streaming: "token", reasoning: true, systemPrompt: "replace", ownTools: "off", usage: "turn", cost: true },
  options: ["session-id", "session-resume", "session-fork"],
  env: { set: {}, strip: [], apiKeys: [] },
  transports: {
    spawn: {
      launch: ({ system, systemMode, session, images, outputSchema }) => ({
        args: [JSON.stringify({ system, systemMode, session, images, outputSchema })],
      }),
      wire: defineWire({ start: () => ({}), step: (_state, native) => readLine(native) }),
      limits: { promptBytes: 1024 * 1024 },
      stopSignal: "SIGTERM",
    },
  },
  faults: [{ kind: "overloaded", code: "overloaded" }],
  models: ["plain-model"],
  versionsChecked: { oldest: "0.0.0", newest: "0.0.0" },
});

/** The same CLI with its own schema option. */
export const schemaCli: Provider = defineProvider({
  ...plainCli,
  options: [...plainCli.options, "output-schema"],
});

/** The same CLI with support for images. */
export const imageCli: Provider = defineProvider({
  ...plainCli,
  options: [...plainCli.options, "images"],
});

function readLine(native: JsonValue): WireStep {
  if (typeof native === "string") return { events: [{ type: "native", text: native }] };
  const line = native as Line;
  return "event" in line ? { events: [line.event] } : { events: [], turnEnd: line.end };
}
