// In your own project: import { … } from "coxswain/provider";
import {
  createJsonEvents,
  defineProvider,
  defineWire,
  type Provider,
  type SimpleWire,
  type WireStep,
  withSpawn,
} from "../../src/provider.ts";

/** Turns the lines of the parrot into events: a minimal wire. The prompt is written to stdin by default. */
const parrotLines: SimpleWire = defineWire<{ words: number }>({
  start: () => ({ words: 0 }),
  step(state, native): WireStep {
    const line = typeof native === "object" && native !== null && !Array.isArray(native) ? (native as Line) : {};
    if (line.kind === "word" && line.word !== undefined) {
      state.words += 1;
      return { events: [{ type: "text-delta", messageId: "said", text: line.word }] };
    }
    if (line.kind !== "end") return { events: [{ type: "native", text: JSON.stringify(native) }] };
    const { heard = 0, said = 0 } = line;
    return {
      events: [
        ...(state.words === 0 ? [] : [{ type: "text-end", messageId: "said" } as const]),
        {
          type: "usage",
          usage: { inputTokens: heard, outputTokens: said, totalTokens: heard + said, estimated: false, scope: "turn" },
        },
      ],
      turnEnd: { finish: "stop", ...(state.words > 0 && { answerId: "said" }) },
    };
  },
});

type Line = { readonly kind?: string; readonly word?: string; readonly heard?: number; readonly said?: number };

/** The parrot as a provider. */
export const parrot: Provider = defineProvider({
  id: "parrot",
  aliases: [],
  label: "Parrot",
  // A program on PATH is { names: ["parrot-cli"] }.
  binary: { script: new URL("./parrot-cli.mjs", import.meta.url) },
  install: "it is in this folder",
  loginStatus: "not-needed",
  traits: { streaming: "message", reasoning: false, systemPrompt: "none", ownTools: "off", usage: "turn", cost: false },
  options: [],
  env: { set: {}, strip: [], apiKeys: [] },
  transports: {
    spawn: {
      launch: () => ({ args: ["--output-format", "stream-json"] }),
      wire: parrotLines,
      limits: { promptBytes: 1024 * 1024 },
      stopSignal: "SIGTERM",
    },
  },
  faults: [{ text: /too loud/, code: "rate-limited", hint: "Speak softly." }],
  models: [],
  versionsChecked: { oldest: "1.0.0", newest: "1.0.0" },
});

/** The same without its own wire: rules name the fields. */
export const ruledParrot: Provider = {
  ...withSpawn(parrot, { wire: createJsonEvents({ content: ["word"], outputTokens: ["said"], end: { kind: "end" } }) }),
  id: "ruled-parrot",
};
