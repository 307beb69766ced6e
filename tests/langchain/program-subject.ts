import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished } from "vitest";
import { ChatCli } from "../../src/adapters/langchain/index.ts";
import { claude } from "../../src/clis/claude/provider.ts";
import { rehearsal } from "../../src/clis/rehearsal/provider.ts";
import { createClient } from "../../src/index.ts";
import { type Provider, withoutNativeTools, withSpawn } from "../../src/spec/provider/provider.ts";
import { builtFile } from "../support/built/built-file.ts";
import { processesWith } from "../support/processes/process-scan.ts";
import { openTestScope } from "../support/test-scope.ts";
import type { ModelScript, Subject } from "./chat-model-suite/subject.ts";
import type { ScriptEnvironment } from "./programs/claim-answer.ts";

/** The built-in CLI; it has a model for each kind of answer. */
export const rehearsalSubject: Subject = programSubject(rehearsal, "rehearsed-cli", {
  model: "friendly",
  takesImages: false,
});

/** A program in Claude's place that gives the scripted answers. */
export const scriptedSubject: Subject = programSubject(withoutNativeTools(claude), "scripted-claude-cli", {
  takesImages: true,
});

type ProgramOptions = { readonly model?: string; readonly takesImages: boolean };

/** A provider with a program of this folder; each start records its input and gives one answer of the script. */
function programSubject(provider: Provider, program: string, { takesImages, ...model }: ProgramOptions): Subject {
  const name = provider.id;
  const script = pathToFileURL(builtFile(`tests/langchain/programs/${program}.ts`));
  return {
    name,
    takesImages,
    construct: (fields = {}) => new ChatCli({ ...fields, ...model, provider: name }),
    async open(answers, fields = {}) {
      const { env, directory } = openTestScope();
      const starts = join(directory, "starts");
      mkdirSync(starts);
      const client = createClient({
        policies: false,
        env,
        providers: [{ ...withScript(provider, answers, starts), binary: { script } }],
      });
      const running = (): Promise<readonly number[]> => processesWith("E2E_TEST", env["E2E_TEST"] ?? "");
      onTestFinished(async () => {
        await client.close();
        expect(await running()).toEqual([]);
      });
      return {
        model: new ChatCli({ ...fields, ...model, provider: name, client }),
        told: () => readdirSync(starts).map((_, start) => readFileSync(join(starts, String(start)), "utf8")),
        running,
        close: () => client.close(),
      };
    },
  };
}

function withScript(provider: Provider, script: ModelScript, directory: string): Provider {
  const { launch } = provider.transports.spawn;
  return withSpawn(provider, {
    launch(request, options) {
      const words = [request.system ?? "", request.prompt, ...(request.images ?? []).map((image) => image.data)].join("\n");
      const env: ScriptEnvironment = {
        SCRIPT_DIRECTORY: directory,
        SCRIPT_REHEARSAL: builtFile("src/rehearsal/rehearsal-cli.ts"),
        SCRIPT_WORDS: words,
        SCRIPT_ANSWERS: JSON.stringify(typeof script === "function" ? [script(words)] : script),
      };
      const parts = launch(request, options);
      return { ...parts, env: { ...parts.env, ...env } };
    },
  });
}
