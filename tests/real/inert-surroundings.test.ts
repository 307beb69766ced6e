import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { objectOf } from "../../src/spec/json.ts";
import { DEEP_TRANSPORTS, type DeepCliName, prepareRealCli, type RealCli } from "../support/real-clis/real-cli.ts";
import { claudeRestOf } from "./claude-rest.ts";
import { type PlantedSurroundings, plantProjects, plantUserConfiguration, secretsIn } from "./planted-surroundings.ts";
import { expectPureRequest } from "./pure-request.ts";

const MODEL_PATHS: Readonly<Record<DeepCliName, string>> = { claude: "/v1/messages", codex: "/v1/responses" };
/** Hooks, servers and notifiers start in parallel to the answer; the test waits this long for their start files. */
const START_GRACE_MS = 1_000;

describe.each(DEEP_TRANSPORTS)("%s by %s as a pure model", (name, transport) => {
  const prepare = (): Promise<RealCli> => prepareRealCli(name, undefined, undefined, transport);

  it(`${name} sends the prompt, our system prompt, no tool and only known extra content`, async () => {
    await using cli = await prepare();
    const given = { prompt: "hi", system: "Answer in one word." };
    await cli.client.run(name, given).result();
    expect(cli.api.modelRequests).toHaveLength(1);
    expectPureRequest(name, cli.api.modelRequests[0], given);
  });

  it(`${name} adds no system prompt of its own without one, and the request for "hi" is small`, async () => {
    await using cli = await prepare();
    await cli.client.run(name, { prompt: "hi" }).result();
    expectPureRequest(name, cli.api.modelRequests[0], { prompt: "hi" });
    const bytes = Buffer.byteLength(cli.api.modelRequests[0]?.rawBody ?? "");
    console.log(`${name}: the request for "hi" has ${bytes} bytes and no tool`);
    expect(bytes).toBeLessThanOrEqual({ claude: 1_300, codex: 1_800 }[name]);
  });

  it(`${name} reads no project file around the host, in the home or above its own directory`, async () => {
    await using cli = await prepare();
    await expectUntouched(name, cli, plantProjects(cli));
  });

  it(`${name} reads no instructions, hooks or servers of the user, and of the settings those of the connection alone`, async () => {
    await using cli = await prepare();
    const ofConnection = name === "claude" ? ["SECRET-OF-USER-HEADER"] : [];
    await expectUntouched(name, cli, plantUserConfiguration(cli), ofConnection);
  });
});

describe("the plants work", () => {
  it("claude as an agent sends and starts the plants", async () => {
    const { sent, started } = await runAsAgent("claude");
    expect(sent).toEqual(
      expect.arrayContaining([
        ...["SECRET-OF-PROJECT-CLAUDE-MD", "SECRET-OF-ROOT-CLAUDE-MD", "SECRET-OF-PROJECT-HOOK"],
        ...["SECRET-OF-USER-CLAUDE-MD", "SECRET-OF-USER-RULE", "SECRET-OF-USER-STYLE", "SECRET-OF-USER-HEADER"],
      ]),
    );
    // Of two commands with one name the CLI lists one: 2.1.197 that of the project, 2.1.325 that of the home.
    expect(sent.filter((secret) => secret.endsWith("-COMMAND"))).toHaveLength(1);
    expect(started).toEqual(expect.arrayContaining(["PROJECT-HOOK", "PROJECT-MCP", "USER-HOOK"]));
  });

  it("codex as an agent sends and starts the plants", async () => {
    const { sent, started } = await runAsAgent("codex");
    expect(sent).toEqual(
      expect.arrayContaining([
        ...["SECRET-OF-PROJECT-AGENTS-OVERRIDE-MD", "SECRET-OF-PROJECT-AGENTS-SKILL", "SECRET-OF-HOME-AGENTS-SKILL"],
        ...["SECRET-OF-CODEX-AGENTS-MD", "SECRET-OF-CODEX-DEVELOPER-INSTRUCTIONS", "SECRET-OF-CODEX-SKILL"],
      ]),
    );
    expect(started).toEqual(expect.arrayContaining(["CODEX-MCP", "CODEX-NOTIFY"]));
  });
});

async function expectUntouched(
  name: DeepCliName,
  cli: RealCli,
  { project, started }: PlantedSurroundings,
  sent: readonly string[] = [],
): Promise<void> {
  const { client, api } = cli;
  const given = { prompt: "hi", system: "Answer in one word." };
  const result = await client.run(name, { ...given, env: hostAt(project) }).result();
  expect(result).toMatchObject({ text: "Hello from the fake model.", warnings: [] });
  await sleep(START_GRACE_MS);
  expect({ sent: secretsIn(api.requests), started: started() }).toEqual({ sent, started: [] });
  const before = name === "claude" ? claudeRestOf(objectOf(api.modelRequests[0]?.body) ?? {}).before : [];
  const asked = api.requests.map(({ method, path }) => `${method} ${path}`);
  expect(asked).toEqual([...before, `POST ${MODEL_PATHS[name]}`]);
  expectPureRequest(name, api.modelRequests[0], given);
}

async function runAsAgent(name: DeepCliName): Promise<{ sent: readonly string[]; started: readonly string[] }> {
  await using cli = await prepareRealCli(name);
  const { project, started } = plantProjects(cli);
  plantUserConfiguration(cli);
  await cli.client.run(name, { prompt: "hi", mode: "agent", cwd: project, trustProject: true, env: hostAt(project) }).result();
  await sleep(START_GRACE_MS);
  return { sent: secretsIn(cli.api.requests), started: started() };
}

/** Changes the working directory of this process for one test, and returns the variables that a shell would set for it. */
function hostAt(directory: string): Readonly<Record<string, string>> {
  const before = process.cwd();
  process.chdir(directory);
  onTestFinished(() => process.chdir(before));
  return { PWD: directory, OLDPWD: directory, INIT_CWD: directory };
}
