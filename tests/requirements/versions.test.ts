import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Client, createClient } from "../../src/index.ts";
import type { Provider } from "../../src/spec/provider/provider.ts";
import type { RunWarning } from "../../src/spec/result.ts";
import { writeProgram } from "../support/clis/write-program.ts";
import { openTestScope } from "../support/test-scope.ts";
import { parrot, parrotScript } from "./health-cli.ts";

/** A machine on which the parrot is installed, from npm or as a file without a version. */
type Nest = {
  readonly state: string;
  readonly command: string;
  open(provider?: Provider): Client;
  /** The number of times the program was asked for its version. */
  asked(): number;
};

describe("a version that was never proven", () => {
  test("is used, with one warning for all processes of the user", async () => {
    const nest = npmNest("1.3.0");
    const first = await nest.open().run("parrot", { prompt: "Hello" }).result();
    expect(first.text).toBe("ready");
    expect(first.warnings).toEqual([
      {
        code: "cli-unproven",
        message:
          "Parrot 1.3.0 is newer than the versions that Coxswain was checked with (1.0.0 to 1.2.0). Coxswain uses it. If it fails, update Coxswain or install 1.2.0.",
      },
    ]);
    expect(await warningsOf(nest.open())).toEqual([]);
    expect(nest.asked()).toBe(0);
    expect(statSync(join(nest.state, "unproven", "parrot-1.3.0")).mode & 0o777).toBe(0o600);
  });

  test("is told again after the next update", async () => {
    const nest = npmNest("1.3.0");
    const client = nest.open();
    expect(await warningsOf(client)).toHaveLength(1);
    putPackage(nest.command, "0.9.0");
    const [warning] = await warningsOf(client);
    expect(warning?.message).toContain("Parrot 0.9.0 is older than");
    expect(await warningsOf(client)).toEqual([]);
  });

  test("is told once by each client where nothing can be kept", async () => {
    const nest = npmNest("1.3.0");
    writeFileSync(nest.state, "in the way");
    const client = nest.open();
    const runs = [await agentWarnings(client, nest), await agentWarnings(client, nest)];
    expect(runs.map((warnings) => warnings.map(({ code }) => code))).toEqual([["cli-unproven"], []]);
    expect(await agentWarnings(nest.open(), nest)).toMatchObject([{ code: "cli-unproven" }]);
  });

  test("of a proven version nothing is said, nor of a provider that names none", async () => {
    expect(await warningsOf(npmNest("1.1.0").open())).toEqual([]);
    const { versionsChecked: _, ...unchecked } = parrot;
    expect(await warningsOf(npmNest("7.0.0").open(unchecked))).toEqual([]);
  });
});

describe("what a provider says of a version", () => {
  const changing: Provider = { ...parrot, changes: [{ since: "1.2.0", limits: { promptBytes: 3 }, set: { NEW: "yes" } }] };

  test.for([
    ["1.1.0", undefined],
    ["1.2.0", "prompt-too-large"],
    ["2.0.0", "prompt-too-large"],
  ] as const)("holds for %s", ([version, code]) => {
    const client = npmNest(version).open(changing);
    const planned = client.plan("parrot", { prompt: "Hello" });
    expect("failure" in planned ? planned.failure.code : undefined).toBe(code);
    const small = client.plan("parrot", { prompt: "Hi" });
    expect("plan" in small ? small.plan.env["NEW"] : "refused").toBe(code === undefined ? undefined : "yes");
  });
});

describe("a program whose files do not tell its version", () => {
  const changing: Provider = { ...parrot, changes: [{ since: "1.2.0", limits: { promptBytes: 300 } }] };

  test("is not asked by runs, which take it for the newest that was proven", async () => {
    const nest = plainNest("1.3.0");
    expect(await warningsOf(nest.open(changing))).toEqual([]);
    expect(nest.asked()).toBe(0);
  });

  test("is known to runs when doctor has asked it", async () => {
    const nest = plainNest("1.3.0");
    await nest.open(changing).validateEnvironment("parrot");
    expect(await warningsOf(nest.open(changing))).toMatchObject([{ code: "cli-unproven" }]);
    expect(nest.asked()).toBe(1);
  });

  test("is unknown again when it was replaced", async () => {
    const nest = plainNest("1.3.0");
    await nest.open(changing).validateEnvironment("parrot");
    writeParrot(nest.command, "9.0.0");
    utimesSync(nest.command, 1, 1);
    expect(await warningsOf(nest.open(changing))).toEqual([]);
  });

  test("is not kept for a file that starts another program, nor shared with other commands of that file", async () => {
    const nest = plainNest("1.3.0");
    const shim = join(dirname(nest.command), "shim");
    renameSync(nest.command, shim);
    symlinkSync(shim, nest.command);
    const client = nest.open(changing);
    await client.validateEnvironment("parrot");
    expect(await warningsOf(client)).toMatchObject([{ code: "cli-unproven" }]);
    expect(notesOf(nest)).toEqual([]);
  });
});

async function warningsOf(client: Client): Promise<readonly RunWarning[]> {
  return (await client.run("parrot", { prompt: "Hello" }).result()).warnings;
}

async function agentWarnings(client: Client, { command }: Nest): Promise<readonly RunWarning[]> {
  const cwd = join(command, "..");
  return (await client.run("parrot", { prompt: "Hello", mode: "agent", cwd }).result()).warnings;
}

function notesOf({ state }: Nest): readonly { readonly version: string | null }[] {
  const folder = join(state, "versions");
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
}

function npmNest(version: string): Nest {
  return openNest((directory, bin) => {
    const folder = join(directory, "lib/node_modules/parrot-cli");
    mkdirSync(folder, { recursive: true });
    const command = join(folder, "cli.sh");
    putPackage(command, version);
    symlinkSync(command, join(bin, "parrot-cli"));
    return command;
  });
}

function plainNest(version: string): Nest {
  return openNest((_, bin) => writeParrot(join(bin, "parrot-cli"), version));
}

function putPackage(command: string, version: string): void {
  writeFileSync(join(command, "../package.json"), JSON.stringify({ name: "parrot-cli", version, bin: "cli.sh" }));
  writeParrot(command, version);
}

function writeParrot(command: string, version: string): string {
  return writeProgram(command, `[ "$1" = --version ] && echo asked >> "$0.asked"\n${parrotScript(version, true)}`);
}

function openNest(install: (directory: string, bin: string) => string): Nest {
  const { directory, env } = openTestScope();
  const bin = join(directory, "bin");
  mkdirSync(bin);
  mkdirSync(join(directory, "state"));
  const command = install(directory, bin);
  const open = (provider: Provider = parrot): Client => {
    const client = createClient({ policies: false, providers: [provider], env: { ...env, PATH: `${bin}:/usr/bin:/bin` } });
    onTestFinished(() => client.close());
    return client;
  };
  const notes = join(bin, "parrot-cli.asked");
  const asked = (): number => (existsSync(notes) ? readFileSync(notes, "utf8").trim().split("\n").length : 0);
  return { state: join(directory, "state", "coxswain"), command, open, asked };
}
