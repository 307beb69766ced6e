import { claude } from "../../src/clis/claude/provider.ts";
import type { FailureCode } from "../../src/spec/failure/failure-codes.ts";
import type { Binary, Provider } from "../../src/spec/provider/provider.ts";
import type { Refusal } from "../../src/spec/provider/provider-facts.ts";
import { ownKind, WORDLESS } from "./failure-words.ts";
import type { ProviderTraits } from "./model/model-client.ts";
import { soakWire } from "./soak-wire.ts";

/** The scripted program offers no tool for structured answers. */
const { objectTool: _, ...base } = claude;

const PROGRAM: URL = new URL("./programs/play-script.mjs", import.meta.url);
/** Longer than Linux allows. */
const TOO_LONG = "x".repeat(140_000);

/** What prevents the processes of a provider from starting in the current call. */
export type Obstacle = { readonly code: FailureCode; readonly at: "before-start" | "spawn" };

/** The current obstacle of each provider; a lane has one such object and changes it from call to call. */
export type Stage = { obstacles: ReadonlyMap<string, Obstacle> };

/** Programs that cannot be started, each for another reason. */
export type BrokenPrograms = Readonly<Record<"absent" | "plain" | "orphaned" | "misled" | "looping", string>>;

/** A provider whose process plays the script of its call. */
export function soakProvider(id: string, traits: ProviderTraits, stage: Stage, broken: BrokenPrograms): Provider {
  return {
    ...base,
    ...traits,
    id,
    aliases: [],
    label: `Soak ${id}`,
    get binary(): Binary {
      return binaryFor(stage.obstacles.get(id), broken);
    },
    env: { set: {}, strip: [], apiKeys: ["SOAK_API_KEY"], profile: "SOAK_PROFILE" },
    transports: {
      spawn: {
        ...claude.transports.spawn,
        launch: (_request, { model = "" }) => {
          const { code, at } = stage.obstacles.get(id) ?? {};
          const further = code === "arguments-too-large" && at === "spawn" ? [TOO_LONG] : [];
          return { args: [id, model, ...further] };
        },
        wire: soakWire,
      },
    },
    refuse: () => refusalFor(stage.obstacles.get(id)),
    recordedWires: [],
    faults: [...WORDLESS.map((code) => ({ kind: ownKind(code), code })), ...claude.faults],
    models: [],
  };
}

function binaryFor(obstacle: Obstacle | undefined, broken: BrokenPrograms): Binary {
  const isEarly = obstacle?.at === "before-start";
  switch (obstacle?.code) {
    case "cli-missing":
      return { names: [isEarly ? broken.absent : broken.orphaned] };
    case "cli-not-executable":
      return { names: [isEarly ? broken.plain : broken.misled] };
    case "start-failed":
      return { names: [broken.looping] };
    default:
      return { script: PROGRAM };
  }
}

function refusalFor(obstacle: Obstacle | undefined): Refusal | undefined {
  if (obstacle?.at !== "before-start" || obstacle.code.startsWith("cli-")) return undefined;
  return { code: obstacle.code, message: "As the script wants it." };
}
