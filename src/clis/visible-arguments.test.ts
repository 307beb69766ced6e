import { describe, expect, it } from "vitest";
import type { PromptRequest } from "../spec/request.ts";
import { builtinProviders } from "./index.ts";

const SECRET = "only-for-the-model";

const REQUESTS = {
  "a system prompt": { system: SECRET },
  "a system prompt of an agent": { system: SECRET, mode: "agent" },
  "a system prompt of a resumed agent": { system: SECRET, mode: "agent", session: { resume: "x" } },
  "an appended system prompt": { system: SECRET, systemMode: "append" },
  "an appended system prompt of an agent": { system: SECRET, systemMode: "append", mode: "agent" },
  "a schema": { outputSchema: { type: "object", description: SECRET } },
  "a schema of an agent": { outputSchema: { type: "object", description: SECRET }, mode: "agent" },
} satisfies Readonly<Record<string, Partial<PromptRequest>>>;

type Name = keyof typeof REQUESTS;

/** What the CLI takes only as an argument; its limitations say so. */
const ARGUMENTS: Readonly<Record<string, readonly Name[]>> = {
  codex: ["an appended system prompt", "an appended system prompt of an agent"],
  qwen: ["an appended system prompt", "an appended system prompt of an agent"],
  grok: [
    ...(["a system prompt of a resumed agent", "an appended system prompt of an agent"] as const),
    ...(["a schema", "a schema of an agent"] as const),
  ],
};

describe.each(builtinProviders.map((provider) => [provider.id, provider] as const))("the arguments of %s", (id, provider) => {
  const names = Object.keys(REQUESTS) as Name[];
  const argumentsFor = (name: Name): string => {
    const request: PromptRequest = { prompt: "Hello", ...REQUESTS[name] };
    return provider.transports.spawn.launch(request, { answersPermissions: false, model: "x" }).args.join("\n");
  };

  it("contain neither system prompts nor schemas, which other users of the machine could see", () => {
    expect(names.filter((name) => argumentsFor(name).includes(SECRET))).toEqual(ARGUMENTS[id] ?? []);
  });

  it("are named in the limitations if they do", () => {
    const said =
      provider.limitations?.some((limitation) => /argument.*other users of the machine can see/.test(limitation)) ?? false;
    if (ARGUMENTS[id] !== undefined) expect(said).toBe(true);
  });
});
