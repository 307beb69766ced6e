import { FAILURE_CODES, type FailureCode } from "../../../src/index.ts";
import { defineProvider, defineWire, type Provider } from "../../../src/provider.ts";
import type { JsonValue } from "../../../src/spec/json.ts";
import type { PromptRequest } from "../../../src/spec/request.ts";
import type { WireStep } from "../../../src/spec/wire/wire.ts";
import type { Line } from "./plays.ts";
import { PLAYER } from "./write-plays.ts";

/** The fields of the request that a start got as its argument; the prompt is on stdin. */
export type Told = Pick<
  PromptRequest,
  "system" | "systemMode" | "session" | "outputSchema" | "effort" | "maxTurns" | "maxOutputTokens" | "images" | "budget"
> & { readonly model?: string };

/** A CLI that plays the steps of each test. It has no tools and no schema option of its own, and its output lines are the events themselves. */
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
      launch: (request, { model }) => ({ args: [JSON.stringify({ ...toldOf(request), model })] }),
      wire: defineWire({ start: () => ({}), step: (_state, native) => readLine(native) }),
      limits: { promptBytes: 1024 * 1024 },
      stopSignal: "SIGTERM",
    },
  },
  // The names of its errors are failure codes.
  faults: (Object.keys(FAILURE_CODES) as FailureCode[]).map((code) => ({ kind: code, code })),
  models: ["played"],
  versionsChecked: { oldest: "0.0.0", newest: "0.0.0" },
});

/** The same CLI with its own schema option. */
export const schemaCli: Provider = defineProvider({ ...plainCli, options: [...plainCli.options, "output-schema"] });

/** The same CLI with support for images. */
export const imageCli: Provider = defineProvider({ ...plainCli, options: [...plainCli.options, "images"] });

/** The same CLI with a key and profiles. */
export const playedCli: Provider = defineProvider({
  ...plainCli,
  options: [...plainCli.options, "profile"],
  env: { set: {}, strip: [], apiKeys: ["PLAYED_KEY"], profile: "PLAYED_PROFILE" },
});

function toldOf(request: PromptRequest): Omit<Told, "model"> {
  const { system, systemMode, session, outputSchema, effort, maxTurns, maxOutputTokens, images, budget } = request;
  // JSON leaves out what is undefined.
  return { system, systemMode, session, outputSchema, effort, maxTurns, maxOutputTokens, images, budget } as Told;
}

function readLine(native: JsonValue): WireStep {
  if (typeof native === "string") return { events: [{ type: "native", text: native }] };
  const { events = [], end } = native as Line;
  return end === undefined ? { events } : { events, turnEnd: end };
}
