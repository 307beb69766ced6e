import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunWarning } from "../../../src/spec/result.ts";
import type { FakeApiRequest } from "../../../src/testing/index.ts";
import { agentTargetOf } from "../agent-request.ts";
import type { MatrixRow, PromptName } from "../clis/matrix-row.ts";
import { readModelRequest } from "../model-request.ts";
import { secretsIn } from "../planted-surroundings.ts";
import { prepareRealCli, type RealCli } from "../real-cli.ts";
import { expectGivenOnly, type Given } from "./expect-given-only.ts";
import { EVERY_TIME, INERT_PROMPTS, MADE_BY_PROMPT } from "./inert-prompts.ts";
import { type Plants, plantForAll } from "./plants.ts";

/** Hooks and servers start in parallel to the answer; the test waits this long for their start files. */
const START_GRACE_MS = 1_000;

const PROMPTS = Object.keys(INERT_PROMPTS) as readonly PromptName[];

/** The prompts that describePurity leaves to `npm run test:real -- --all`. */
export const OTHER_PROMPTS: readonly PromptName[] = PROMPTS.filter((what) => !EVERY_TIME.includes(what));

type Asked = { readonly text: string; readonly warnings: readonly RunWarning[]; readonly requests: readonly FakeApiRequest[] };

/** A completion sends the caller's texts and little else, whatever files are around and whatever the prompt looks like. */
export function describePurity(row: MatrixRow, prompts: readonly PromptName[] = EVERY_TIME): void {
  const { name, pure, refusedPrompts } = row;
  const takesSystem = row.providerAt("").traits.systemPrompt !== "none";

  describe(`real ${name} as a pure model`, () => {
    let cli: RealCli;
    let plants: Plants;
    const directory = process.cwd();
    beforeAll(async () => {
      cli = await prepareRealCli(name);
      plants = plantForAll(cli);
      process.chdir(plants.project);
    });
    afterAll(async () => {
      process.chdir(directory);
      await cli[Symbol.asyncDispose]();
    });

    it(`${name} sends the prompt, the system prompt, no tool and only known extra content, and uses nothing around it`, async () => {
      const given = takesSystem ? { prompt: "hi", system: "Answer in one word." } : { prompt: "hi" };
      const { requests, text } = await ask(given);
      expect(text).toBe("Hello from the fake model.");
      expectOnly(requests, given);
      const bytes = Buffer.byteLength(requests[0]?.rawBody ?? "");
      console.log(`${name}: the request for "hi" has ${bytes} bytes`);
      expect(bytes).toBeLessThanOrEqual(pure.bytes);
      await sleep(START_GRACE_MS);
      expectUntouched();
    });

    const left = row.omitted?.prompts ?? [];
    const passedOn = prompts.filter((what) => !(what in refusedPrompts) && !left.includes(what));
    it.each(passedOn)(`${name} passes %s unchanged`, async (what) => {
      const prompt = INERT_PROMPTS[what];
      const { requests, warnings } = await ask({ prompt });
      expect(warnings).toEqual([]);
      expectOnly(requests, { prompt });
      expectUntouched();
    });

    const refused = PROMPTS.filter((what) => what in refusedPrompts);
    if (refused.length > 0)
      it.each(refused)(`${name} is not started for %s`, async (what) => {
        const before = cli.api.requests.length;
        const stream = cli.client.run(row.target, { prompt: INERT_PROMPTS[what] });
        const types: string[] = [];
        for await (const event of stream) types.push(event.type);
        expect(types).toEqual(["run-start", "run-end"]);
        await expect(stream.result()).rejects.toMatchObject({ failure: { category: "validation", code: "prompt-malformed" } });
        expect(cli.api.requests).toHaveLength(before);
      });

    it(`${name} as an agent in the same place uses the plants`, async () => {
      const before = cli.api.requests.length;
      const permissions = { mode: "bypass" } as const;
      const agent = { prompt: "hi", mode: "agent", permissions, cwd: plants.project, env: variables() } as const;
      await cli.client.run(agentTargetOf(name), agent).result();
      await sleep(START_GRACE_MS);
      const heeded = [...secretsIn(cli.api.requests.slice(before)), ...plants.started()];
      expect(heeded).toEqual(expect.arrayContaining([...pure.heeds]));
    });

    async function ask(given: Given): Promise<Asked> {
      const before = cli.api.modelRequests.length;
      const { text, warnings } = await cli.client.run(row.target, { ...given, env: variables() }).result();
      return { text, warnings, requests: cli.api.modelRequests.slice(before) };
    }

    /** The variables that a shell would set for the host. */
    function variables(): Readonly<Record<string, string>> {
      return { PWD: plants.project, OLDPWD: plants.project, INIT_CWD: plants.project };
    }

    function expectOnly(requests: readonly FakeApiRequest[], given: Given): void {
      const [request, ...others] = requests;
      if (request === undefined) throw new Error("no request for the model arrived");
      expect(others).toEqual([]);
      expectGivenOnly(row, readModelRequest(request), given);
    }

    function expectUntouched(): void {
      const touched = { sent: secretsIn(cli.api.requests), started: plants.started(), made: findMade(`${cli.home}/..`) };
      expect(touched).toEqual({ sent: [], started: [], made: [] });
    }
  });
}

/** The files that a prompt created; a CLI may remove its own files during the search. */
function findMade(folder: string): readonly string[] {
  for (;;) {
    try {
      return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(MADE_BY_PROMPT));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}
