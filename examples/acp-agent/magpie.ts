// In your own project: import { … } from "coxswain/provider";
import { acpWire, defineProvider, type JsonObject, type LaunchParts, type Provider, type Wire } from "../../src/provider.ts";

/** The protocol, and what this agent does in its own way: it names no tools, and tells its tokens in the answer to the prompt. */
const magpieWire: Wire = acpWire({
  turnsAtOnce: 4,
  toolName: ({ toolCallId }) => String(toolCallId).split("-")[0],
  countsOf: ({ usage }) => usage as JsonObject,
});

const launch = (): LaunchParts => ({ args: ["acp"] });

/** The magpie as a provider: it starts a process for a run, or keeps one that takes many turns. */
export const magpie: Provider = defineProvider({
  id: "magpie",
  aliases: [],
  label: "Magpie",
  // A program on PATH is { names: ["magpie-agent"] }.
  binary: { script: new URL("./magpie-agent.mjs", import.meta.url) },
  // A command: users see it as `fixCommand` if the agent is missing.
  install: "git restore magpie-agent.mjs",
  loginStatus: "not-needed",
  traits: {
    streaming: "token",
    reasoning: false,
    systemPrompt: "none",
    ownTools: "restrict",
    usage: "turn",
    cost: false,
    permissionRequests: true,
  },
  options: [],
  env: { set: {}, strip: [], apiKeys: [] },
  transports: {
    spawn: { launch, wire: magpieWire, limits: { promptBytes: 1024 * 1024 }, stopSignal: "SIGTERM" },
    resident: { launch, wire: magpieWire, serves: ({ mode }) => mode !== "agent", stopSignal: "SIGTERM" },
  },
  refuse: ({ permissions: { mode = "default" } = {} }) =>
    mode === "default" ? undefined : { code: "option-unsupported", message: `Magpie has no permission mode "${mode}".` },
  faults: [{ kind: "-32000", text: /locked/, code: "not-logged-in", hint: "Open the nest." }],
  models: [],
  versionsChecked: { oldest: "1.0.0", newest: "1.0.0" },
});
