import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InstalledPackage, installPackage } from "./installed-package.ts";

const hangGuardMs = 240_000;
const systemNode = "/usr/bin/node";
const typescript = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
const typeRoots = [join(import.meta.dirname, "../../node_modules/@types")];

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPackage();
}, hangGuardMs);

afterAll(() => installed?.remove());

describe("the packed package", { timeout: hangGuardMs }, () => {
  test("contains its licence, its command, the build and its sources, and no tests", () => {
    expect(installed.packed).toEqual(
      expect.arrayContaining([
        "LICENSE",
        "README.md",
        "bin/cox.js",
        "bin/node-version.js",
        "schemas/coxswain.config.schema.json",
      ]),
    );
    expect(installed.packed).toEqual(
      expect.arrayContaining(["dist/index.js", "dist/index.d.ts", "dist/process/guardian/guardian-main.cjs", "src/index.ts"]),
    );
    expect(installed.packed.filter((file) => /\.test\.|^(tests|fixtures|scripts|bench)\//.test(file))).toEqual([]);
  });

  test("exports exactly the public names at its root", async () => {
    expect(await readExportNames("coxswain")).toEqual([
      "FAILURE_CODES",
      "FAILURE_TRAITS",
      "RunError",
      "builtinProviders",
      "capabilitiesOf",
      "classifyError",
      "createClient",
      "defineTool",
      "toMcpConfig",
    ]);
  });

  test("exports what an author of a provider needs at coxswain/provider, and other views at coxswain/compatibility", async () => {
    const authors =
      "CLOSE_INPUT NO_STEP acpWire claudeStream codexExec createFailure createJsonEvents createJsonObject defineProvider defineWire " +
      "describeMistake findConfigFiles noInput pathOf plainText readConfigFile toJsonWithPaths toProvider trimmedText withInput withSpawn";
    expect(await readExportNames("coxswain/provider")).toEqual(authors.split(" "));
    expect(await readExportNames("coxswain/compatibility")).toEqual([
      "ProviderError",
      "createSessionProvider",
      "toProviderError",
    ]);
  });

  test("loads neither LangChain nor the AI SDK nor the reader of tool calls at its root", async () => {
    const script = `
      import { registerHooks } from "node:module";
      const loaded = [];
      registerHooks({ resolve(specifier, context, next) { loaded.push(specifier); return next(specifier, context); } });
      const { createClient } = await import("coxswain");
      const client = createClient();
      await client.run("rehearsal", { prompt: "hello" }).result();
      await client.close();
      console.log(JSON.stringify(loaded.filter((name) => !/^(node:|\\.|file:|coxswain$)/.test(name))));`;
    const outcome = await installed.run("node", "--input-type=module", "-e", script);
    expect(outcome).toEqual({ exitCode: 0, stdout: "[]\n", stderr: "" });
  });

  test("reads tool calls and structured answers without LangChain", async () => {
    const script = `
      import { createClient, defineTool } from "coxswain";
      const client = createClient();
      const tools = [defineTool({ name: "look", schema: { type: "object", properties: { at: { type: "string" } }, required: ["at"] } })];
      const { finish, hostCalls } = await client.run("rehearsal/tool-caller", { prompt: "Please look.", tools }).result();
      console.log(finish, hostCalls[0].name, JSON.stringify(hostCalls[0].args));
      await client.close();`;
    const outcome = await installed.run("node", "--input-type=module", "-e", script);
    expect(outcome).toEqual({ exitCode: 0, stdout: 'tool-calls look {"at":"at"}\n', stderr: "" });
  });

  test("exports the agent, and the LangChain adapter if LangChain is installed", async () => {
    expect(await readExportNames("coxswain/agent")).toEqual([
      "RunError",
      "agentTool",
      "connectMcp",
      "createAgent",
      "humanInput",
      "messagesOf",
      "toStreamChunks",
    ]);
    const without = await installed.run("node", "--input-type=module", "-e", 'await import("coxswain/langchain")');
    expect(without.stderr).toContain("@langchain/core");
    await installed.link("@langchain");
    expect(await readExportNames("coxswain/langchain")).toEqual([
      "ChatCli",
      "RunError",
      "createClaudeCliProvider",
      "createCliProvider",
      "createCodexCliProvider",
      "escapeXml",
      "execFileAsync",
      "isModelAdapter",
      "messagesToPrompt",
      "messagesToXml",
      "parseToolCalls",
      "toChatModel",
    ]);
  });

  test("exports the provider for the AI SDK, if the AI SDK is installed", async () => {
    const without = await installed.run("node", "--input-type=module", "-e", 'await import("coxswain/ai-sdk")');
    expect(without.stderr).toContain("@ai-sdk/provider");
    await installed.link("@ai-sdk");
    expect(await readExportNames("coxswain/ai-sdk")).toEqual(["RunError", "coxswain", "createCoxswain"]);
  });

  test("exports its test tools at coxswain/testing", async () => {
    expect(await readExportNames("coxswain/testing")).toEqual([
      "anthropicError",
      "chatError",
      "createFakeCli",
      "findRunProcesses",
      "geminiError",
      "providerContract",
      "readRecordedCase",
      "replayRecording",
      "responsesError",
      "startFakeModelApi",
    ]);
  });

  test("starts the fake CLI of coxswain/testing", async () => {
    const script = `
      import { execFileSync } from "node:child_process";
      import { fileURLToPath } from "node:url";
      import { createFakeCli } from "coxswain/testing";
      const cli = createFakeCli([{ do: "print", value: { played: true } }]);
      process.stdout.write(execFileSync(process.execPath, [fileURLToPath(cli.script)], { input: "" }));
      cli.remove();`;
    const outcome = await installed.run("node", "--input-type=module", "-e", script);
    expect(outcome).toEqual({ exitCode: 0, stdout: '{"played":true}\n', stderr: "" });
  });

  test("starts one guardian, from a file of the package", async () => {
    const script = `
      import { existsSync, readdirSync, readFileSync } from "node:fs";
      import { createClient } from "coxswain";
      const client = createClient();
      await client.run("rehearsal", { prompt: "Hello" }).result();
      const read = (path) => { try { return readFileSync(path, "utf8").split("\\0"); } catch { return []; } };
      const guardians = readdirSync("/proc").filter((pid) =>
        read(\`/proc/\${pid}/environ\`).some((entry) => entry.startsWith(\`COXSWAIN_GUARDIAN=\${process.pid}-\`)));
      console.log(JSON.stringify(guardians.map((pid) => existsSync(read(\`/proc/\${pid}/cmdline\`).at(-2)))));
      await client.close();`;
    const outcome = await installed.run("node", "--input-type=module", "-e", script);
    expect(outcome).toEqual({ exitCode: 0, stdout: "[true]\n", stderr: "" });
  });

  test("refuses imports of its inner modules", async () => {
    const outcome = await installed.run("node", "--input-type=module", "-e", 'await import("coxswain/dist/client.js")');
    expect(outcome.stderr).toContain("ERR_PACKAGE_PATH_NOT_EXPORTED");
  });

  test("type-checks in a consumer's strict project", async () => {
    const names =
      'import { createClient, RunError } from "coxswain";\nimport * as provider from "coxswain/provider";\nimport * as testing from "coxswain/testing";\n';
    await writeFile(
      join(installed.folder, "consumer.ts"),
      `${names}export const used: unknown[] = [createClient, RunError, provider, testing];\n`,
    );
    const compilerOptions = { module: "NodeNext", target: "ES2024", strict: true, noEmit: true, types: ["node"], typeRoots };
    await writeFile(join(installed.folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
    expect(await installed.run("node", typescript, "-p", ".")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });
});

describe("the installed command", { timeout: hangGuardMs }, () => {
  test("prints the version of the package", async () => {
    const { version }: { version: string } = JSON.parse(await readFile(join(installed.home, "package.json"), "utf8"));
    expect(await installed.run("node_modules/.bin/cox", "--version")).toEqual({
      exitCode: 0,
      stdout: `${version}\n`,
      stderr: "",
    });
  });

  test("answers with the rehearsal CLI", async () => {
    const outcome = await installed.run("node_modules/.bin/cox", "ask", "--provider", "rehearsal", "hello, installed command");
    expect(outcome).toMatchObject({ exitCode: 0, stderr: "" });
    expect(outcome.stdout).toContain("hello, installed command");
  });

  test("prints in one line which Node it needs when it runs on an older one", async () => {
    const pretence = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });';
    const preload = `data:text/javascript,${encodeURIComponent(pretence)}`;
    const bin = join(installed.home, "bin/cox.js");
    const outcomes = [await installed.run("node", "--import", preload, bin, "ask", "hi")];
    const real = await installed.run(existsSync(systemNode) ? systemNode : "node", "--version");
    if (/^v(?:1\d|20|21)\./.test(real.stdout)) outcomes.push(await installed.run(systemNode, bin, "ask", "hi"));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ exitCode: 1, stdout: "" });
      expect(outcome.stderr).toMatch(/^[^\n]*22\.19[^\n]*\n$/);
    }
  });

  test("requires Node 22.19 or newer, and nothing else", async () => {
    const path = pathToFileURL(join(installed.home, "bin/node-version.js")).href;
    const { unsupportedNodeMessage }: { unsupportedNodeMessage(version: string): string | undefined } = await import(path);
    for (const version of ["v18.20.0", "v20.20.2", "v21.7.3", "v22.0.0", "v22.18.9"]) {
      expect(unsupportedNodeMessage(version)).toContain(version.slice(1));
    }
    for (const version of ["v22.19.0", "v22.23.3", "v23.0.0", "v24.21.0", "v26.10.0", "v100.0.0"]) {
      expect(unsupportedNodeMessage(version)).toBeUndefined();
    }
  });
});

async function readExportNames(specifier: string): Promise<unknown> {
  const script = `console.log(JSON.stringify(Object.keys(await import(${JSON.stringify(specifier)})).sort()))`;
  const { exitCode, stdout, stderr } = await installed.run("node", "--input-type=module", "-e", script);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return JSON.parse(stdout);
}
