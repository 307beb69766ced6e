import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/spec/json.ts";
import type { PromptRequest } from "../../../src/spec/request.ts";
import type { FakeAnswer } from "../../../src/testing/index.ts";
import { agentRequest, agentTargetOf, DONE } from "../../support/real-clis/agent-request.ts";
import { modelRequestsOf } from "../../support/real-clis/model-request.ts";
import type { CliName } from "../../support/real-clis/real-cli.ts";
import { type OpenRealCli, openRealCli } from "../open-real-cli.ts";

/** How the model gives a structured answer: by a call of this tool, or as another answer. */
type ObjectAnswer = string | ((object: JsonObject) => FakeAnswer);

/**
 * The system prompt and, if an object answer is given, the schema reach the model, and no command line of the machine shows them
 * while the model is asked.
 */
export function describePrivateArguments(name: CliName, objectAnswer?: ObjectAnswer): void {
  const hidden = objectAnswer === undefined ? "the system prompt" : "the system prompt and the schema";

  describe(`the arguments of real ${name}`, () => {
    it.each(["completion", "agent"] as const)(
      `do not show ${hidden} in %s mode, and the model of ${name} gets them`,
      async (mode) => {
        const secret = randomUUID();
        const system = `\uFEFFKeep ${secret}.\r\n\tPay in $gold, \${{ 1 + 1 }} or {{x}}; @file !{ls} \`id\` — é\n\n`;
        const description = `The city of ${secret}.`;
        const properties = { city: { type: "string", description } };
        const outputSchema = { type: "object", properties, required: ["city"], additionalProperties: false };
        const answer = objectAnswer === undefined ? DONE : toAnswer(objectAnswer, { city: "Ulm" });
        const { cli, seen } = await openWatched(name, secret, answer);
        const run = await runIn(cli, mode, { system, ...(objectAnswer !== undefined && { outputSchema }) });
        expect(modelRequestsOf(cli)[0]?.system.join("\n")).toContain(system.trim());
        if (objectAnswer !== undefined) {
          expect(run.result.object).toEqual({ city: "Ulm" });
          expect(cli.api.modelRequests[0]?.rawBody).toContain(description);
        }
        expect(seen.length).toBeGreaterThan(0);
        expect(seen.flat()).toEqual([]);
      },
    );
  });
}

function toAnswer(objectAnswer: ObjectAnswer, object: JsonObject): FakeAnswer {
  if (typeof objectAnswer !== "string") return objectAnswer(object);
  return { kind: "tool-calls", calls: [{ name: objectAnswer, input: object }] };
}

type Watched = { readonly cli: OpenRealCli; readonly seen: readonly (readonly string[])[] };

/** A CLI whose model looks for a text in all command lines at each request. */
async function openWatched(name: CliName, secret: string, answer: FakeAnswer): Promise<Watched> {
  const seen: (readonly string[])[] = [];
  const cli = await openRealCli(name, () => {
    seen.push(commandLinesWith(secret));
    return answer;
  });
  return { cli, seen };
}

async function runIn(cli: OpenRealCli, mode: "completion" | "agent", given: Partial<PromptRequest>) {
  if (mode === "completion") return cli.run({ prompt: "Hello", ...given });
  return cli.run(agentRequest(cli, given), { target: agentTargetOf(cli.name) });
}

function commandLinesWith(text: string): readonly string[] {
  const pids = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
  return pids.map((pid) => readCommandLine(pid)).filter((line) => line.includes(text));
}

function readCommandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
