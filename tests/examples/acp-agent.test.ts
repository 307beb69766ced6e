import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { magpie } from "../../examples/acp-agent/magpie.ts";
import { createClient } from "../../src/index.ts";
import { providerContract } from "../../src/testing/index.ts";
import { startScript } from "../support/cox/start-program.ts";
import { openTestScope } from "../support/test-scope.ts";
import { openConsumerProject } from "./consumer-project.ts";
import { readBlocks } from "./read-blocks.ts";

const FOLDER = join(import.meta.dirname, "../../examples/acp-agent");

const execute = promisify(execFile);

/** A file of the example as it is in a project that has the package installed. */
function inOwnProject(name: string): string {
  const code = readFileSync(join(FOLDER, name), "utf8").replace(/^\/\/ .*\n/, "");
  return code.replace("../../src/provider.ts", "coxswain/provider").replace("../../src/index.ts", "coxswain");
}

describe("the agent of docs/add-a-provider.md", () => {
  for (const check of providerContract(magpie, { fixtures: join(FOLDER, "fixtures") })) it(check.title, check.run);

  it("answers, asks before it takes something, and reports its failure with a code of Coxswain", async () => {
    const ask = (...words: readonly string[]) => startScript("examples/acp-agent/ask.ts", words).ended;
    expect(await ask("Please", "take", "silver")).toMatchObject({
      stdout: 'take {"thing":"silver"}\ngot silver\nPlease take silver\n',
      stderr: "",
      exitCode: 0,
    });
    expect((await ask("locked")).stdout).toBe("The nest is locked Open the nest.\n");
  });

  it("takes nothing when nobody is asked", async () => {
    const { directory, env } = openTestScope();
    await using client = createClient({ providers: [magpie], env, policies: false });
    const request = { prompt: "take gold", mode: "agent", cwd: directory } as const;
    const { text, permissionDenials, toolCalls } = await client.run("magpie", request).result();
    expect({ text, denied: permissionDenials.map(({ name }) => name) }).toEqual({ text: "take gold", denied: ["take"] });
    expect(toolCalls).toMatchObject([{ input: { thing: "gold" }, output: "not allowed", isError: true }]);
  });

  it("is on the page as a whole, and runs from there", async () => {
    const programs = readBlocks("docs/add-a-provider.md", "ts").filter(({ heading }) => heading === "4. An ACP agent");
    const [provider = "", ask = ""] = programs.map(({ code }) => code);
    expect([provider, ask]).toEqual([inOwnProject("magpie.ts"), inOwnProject("ask.ts")]);
    const { folder, env, write } = openConsumerProject();
    write("magpie-agent.mjs", readFileSync(join(FOLDER, "magpie-agent.mjs")));
    write("magpie.ts", provider);
    const { stdout } = await execute(process.execPath, [write("ask.ts", ask), "Hello"], { cwd: folder, env });
    expect(stdout).toBe("Hello\n");
  });

  it("has its script and the files of a failed recording on the page", () => {
    const section = (language: string): readonly string[] =>
      readBlocks("docs/add-a-provider.md", language)
        .filter(({ heading }) => heading === "4. An ACP agent")
        .map(({ code }) => code);
    const script = readFileSync(join(FOLDER, "record.sh"), "utf8");
    expect(section("sh")).toEqual([script.replace(/^agent=\S+ \S+magpie-agent\.mjs"/m, "agent=magpie-agent")]);
    expect(section("json")[1]).toBe(readFileSync(join(FOLDER, "fixtures/locked/expected.json"), "utf8"));
    const fields = Object.keys(JSON.parse(section("json")[0] ?? ""));
    expect(fields).toEqual(Object.keys(JSON.parse(readFileSync(join(FOLDER, "fixtures/locked/case.json"), "utf8"))));
  });

  it("passes the contract with a recording that the script has just made", async () => {
    const { directory, env } = openTestScope();
    const fixtures = join(directory, "fixtures");
    const folder = join(fixtures, "locked");
    mkdirSync(folder, { recursive: true });
    const binaries = { magpie: join(FOLDER, "record.sh") };
    const surroundings = { env: { ...env, RECORDING: folder }, warm: false, policies: false } as const;
    await using client = createClient({ providers: [magpie], binaries, ...surroundings });
    await expect(client.run("magpie", { prompt: "the nest is locked" }).result()).rejects.toThrow("The nest is locked");
    expect(readdirSync(folder).toSorted()).toEqual(["stderr", "stdin", "stdout"]);
    for (const name of ["case.json", "expected.json"]) copyFileSync(join(FOLDER, "fixtures/locked", name), join(folder, name));
    for (const check of providerContract(magpie, { fixtures })) check.run();
  });

  it("is recorded by a script that ends when the agent cannot start, while its stdin is open", async () => {
    const { directory, env } = openTestScope();
    const script = join(directory, "record.sh");
    copyFileSync(join(FOLDER, "record.sh"), script);
    const recorded = execute(script, ["acp"], { env: { ...env, RECORDING: directory } });
    await expect(recorded).rejects.toMatchObject({
      code: 127,
      stderr: expect.stringContaining(`record.sh: ${directory}/magpie-agent.mjs cannot be started\n`),
    });
    expect(readFileSync(join(directory, "stderr"), "utf8")).toContain("magpie-agent.mjs");
  });

  it("answers several runs in one process that is kept warm", async () => {
    const { env } = openTestScope();
    await using client = createClient({ providers: [magpie], env, policies: false });
    const target = { provider: "magpie", transport: "resident" } as const;
    const ask = async (prompt: string): Promise<string> => (await client.run(target, { prompt }).result()).text;
    expect([await ask("one"), await ask("two")]).toEqual(["one", "two"]);
    expect(await Promise.all([ask("three"), ask("four")])).toEqual(["three", "four"]);
    expect(client.warmProcesses()).toMatchObject([{ provider: "magpie", turns: 4 }]);
  });
});
