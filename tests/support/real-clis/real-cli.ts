import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type Client, createClient } from "../../../src/index.ts";
import { compareVersions } from "../../../src/spec/provider/cli-data.ts";
import { type Provider, withSpawn } from "../../../src/spec/provider/provider.ts";
import {
  type FakeAnswer,
  type FakeAnswers,
  type FakeApiRequest,
  type FakeModelApi,
  startFakeModelApi,
} from "../../../src/testing/index.ts";
import pins from "./pinned-clis.json" with { type: "json" };
import type { CliName, CliRow } from "./rows/cli-row.ts";
import { CLI_ROWS } from "./rows/index.ts";

export type { CliName } from "./rows/cli-row.ts";

/** The CLIs with detailed tests of every flag and event; the others have only the tests of the matrix. */
export type DeepCliName = "claude" | "codex";

/** The way to talk to a CLI. */
export type TransportName = "spawn" | "resident";

/** A real CLI as a user has it, with its own home and a fake model API. */
export type RealCli = AsyncDisposable & {
  readonly name: CliName;
  readonly row: CliRow;
  readonly client: Client;
  readonly api: FakeModelApi;
  /** The environment that the CLI inherits. */
  readonly env: Readonly<Record<string, string>>;
  /** The provider with the settings for the fake API. */
  readonly provider: Provider;
  /** A directory for agent mode. */
  readonly workspace: string;
  readonly home: string;
};

/** Prepares a real CLI, of the pinned version unless another folder is given; starts only the fake API. */
export async function prepareRealCli(
  name: CliName,
  answers?: FakeAnswers,
  folder: string = installedFolder(CLI_ROWS[name]),
  transport: TransportName = "spawn",
): Promise<RealCli> {
  const row = CLI_ROWS[name];
  const api = asideOf(row, await startFakeModelApi(row.protocol), answers);
  const root = mkdtempSync(join(tmpdir(), "coxswain-real-"));
  const [home, workspace, temporary] = [join(root, "home"), join(root, "workspace"), join(root, "tmp")];
  for (const folder of [home, workspace, temporary]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(workspace, "package.json"), '{ "name": "SECRET-OF-THE-WORKSPACE" }\n');
  const place = { url: api.url, home };
  row.prepare?.(place);
  const env = {
    PATH: [
      join(folder, "node_modules/.bin"),
      join(import.meta.dirname, "../../../node_modules/.bin"),
      "/usr/local/bin",
      "/usr/bin",
      "/bin",
    ].join(delimiter),
    HOME: home,
    XDG_STATE_HOME: join(root, "state"),
    LANG: "C.UTF-8",
    // Codex prints a warning for a home below TMPDIR.
    TMPDIR: temporary,
    ...row.env(place),
  };
  const checked = asChecked(row, row.providerAt(api.url), folder);
  const provider = transport === "spawn" ? checked : overResident(checked);
  // Tests of warm processes make their own client; in all others each run has its own process.
  const client = createClient({ policies: false, env, providers: [provider], warm: false });
  const dispose = async (): Promise<void> => {
    await client.close();
    await api.close();
    rmSync(root, { recursive: true, force: true });
  };
  return { name, row, client, api, env, provider, workspace, home, [Symbol.asyncDispose]: dispose };
}

/** A newer version counts as a checked one, so that `npm run drift` lists only the tests that fail for another reason. */
function asChecked({ pin }: CliRow, provider: Provider, folder: string): Provider {
  const { versionsChecked } = provider;
  const path = join(folder, "node_modules", pins[pin].package, "package.json");
  if (versionsChecked === undefined || !existsSync(path)) return provider;
  const { version } = JSON.parse(readFileSync(path, "utf8")) as { readonly version: string };
  if (compareVersions(version, versionsChecked.newest) <= 0) return provider;
  return { ...provider, versionsChecked: { ...versionsChecked, newest: version } };
}

/** The provider with its resident transport in place of `spawn`: each run has its own process, which speaks the resident's wire. */
function overResident(provider: Provider): Provider {
  const { resident } = provider.transports;
  if (resident === undefined) throw new Error(`${provider.id} has no resident transport`);
  return withSpawn(provider, resident);
}

/** The transports of the CLIs with detailed tests. */
export const DEEP_TRANSPORTS: readonly (readonly [DeepCliName, TransportName])[] = (["claude", "codex"] as const).flatMap(
  (name) =>
    [[name, "spawn"], ...(CLI_ROWS[name].providerAt("").transports.resident === undefined ? [] : [[name, "resident"]])] as [
      DeepCliName,
      TransportName,
    ][],
);

/** The provider of a CLI with the settings for a fake API, if the environment alone does not suffice. */
export function providerAt(name: CliName, url: string): Provider {
  return CLI_ROWS[name].providerAt(url);
}

/** Where the CLIs of this suite are installed. */
export const REAL_CLIS: string = join(import.meta.dirname, "../../../.cache/real-clis");

/** The folder whose node_modules contain a CLI; COXSWAIN_REAL_CLIS names others, as in `claude=/folder,qwen=/folder`. */
function installedFolder({ pin }: CliRow): string {
  const others = (process.env["COXSWAIN_REAL_CLIS"] ?? "").split(",").map((entry) => entry.split("="));
  const other = others.find(([name]) => name === pin)?.[1];
  const entry = pins[pin];
  return other ?? join(REAL_CLIS, "folder" in entry ? entry.folder : "");
}

/** The API as the caller's requests see it: side requests of the CLI use no scripted answer and are not listed. */
function asideOf({ isAside }: CliRow, api: FakeModelApi, answers: FakeAnswers | undefined): FakeModelApi {
  if (isAside === undefined) {
    if (answers !== undefined) api.answerWith(answers);
    return api;
  }
  const answerWith = (scripted: FakeAnswers): void => {
    let asked = 0;
    api.answerWith((request) =>
      isAside(request) ? { kind: "text", text: "On the side" } : answerAt(scripted, request, asked++),
    );
  };
  answerWith(answers ?? { kind: "text", text: "Hello from the fake model." });
  return {
    url: api.url,
    requests: api.requests,
    get modelRequests() {
      return api.modelRequests.filter((request) => !isAside(request));
    },
    answerWith,
    cutConnections: () => api.cutConnections(),
    close: () => api.close(),
    [Symbol.asyncDispose]: () => api.close(),
  };
}

function answerAt(answers: FakeAnswers, request: FakeApiRequest, index: number): FakeAnswer {
  if (typeof answers === "function") return answers(request, index);
  if ("kind" in answers) return answers;
  const answer = answers[Math.min(index, answers.length - 1)];
  if (answer === undefined) throw new TypeError("a fake model API needs at least one answer");
  return answer;
}
