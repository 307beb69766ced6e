import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { FakeAnswers, FakeApiRequest } from "../../../src/testing/index.ts";
import { readModelRequest } from "../../support/real-clis/model-request.ts";
import type { MatrixRow } from "../../support/real-clis/rows/matrix-row.ts";
import { type OpenRealCli, openRealCli } from "../open-real-cli.ts";
import { secretsIn } from "../planted-surroundings.ts";
import { expectGivenOnly, type Given } from "./expect-given-only.ts";
import { MADE_BY_PROMPT } from "./inert-prompts.ts";
import { type Plants, plantForAll } from "./plants.ts";

/** Hooks and servers start in parallel to the answer; a test waits this long for their start files. */
export const START_GRACE_MS = 1_000;

/** A real CLI among planted files and settings. */
export type PlantedCli = {
  readonly cli: OpenRealCli;
  readonly plants: Plants;
  /** The variables that a shell would set for the host. */
  readonly env: Readonly<Record<string, string>>;
  /** The first request to the model contains only what is given. */
  expectOnly(given: Given): void;
  /** The bytes of the first request if this prompt of it were "hi" and the test had no temporary directory of its own. */
  bytesForHi(prompt: string): number;
  /** Nothing planted was sent or started, and no prompt made a file. */
  expectUntouched(): void;
};

/** Opens a real CLI for one test, whose process is in the planted project until its end. */
export async function openPlanted(row: MatrixRow, answers?: FakeAnswers): Promise<PlantedCli> {
  const cli = await openRealCli(row.name, answers);
  const plants = plantForAll(cli);
  const { project } = plants;
  const directory = process.cwd();
  process.chdir(project);
  onTestFinished(() => process.chdir(directory));
  return {
    cli,
    plants,
    env: { PWD: project, OLDPWD: project, INIT_CWD: project },
    expectOnly: (given) => expectGivenOnly(row, readModelRequest(firstOf(cli.api.modelRequests)), given),
    bytesForHi: (prompt) => bytesBesides(prompt, cli),
    expectUntouched() {
      const touched = { sent: secretsIn(cli.api.requests), started: plants.started(), made: findMade(`${cli.home}/..`) };
      expect(touched).toEqual({ sent: [], started: [], made: [] });
    },
  };
}

function bytesBesides(prompt: string, { api, home }: OpenRealCli): number {
  const ownDirectory = dirname(dirname(home));
  const body = firstOf(api.modelRequests).rawBody.replaceAll(ownDirectory, dirname(ownDirectory));
  return Buffer.byteLength(body) - Buffer.byteLength(JSON.stringify(prompt)) + Buffer.byteLength(JSON.stringify("hi"));
}

function firstOf([request]: readonly FakeApiRequest[]): FakeApiRequest {
  if (request === undefined) throw new Error("no request for the model arrived");
  return request;
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
