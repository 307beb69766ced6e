import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { builtinProviders, createClient } from "../../src/index.ts";
import { toProvider } from "../../src/provider.ts";
import { providerContract } from "../../src/testing/index.ts";
import { finishRun } from "../support/runs/read-run.ts";
import { failureOf } from "../support/runs/run-expectations.ts";
import { openOwnCli, ownProvider, readEntries } from "./own-cli.ts";

/** Writes its arguments, one per line, and its input to files; then answers. */
const NOTES = 'printf "%s\\n" "$@" > "$(dirname "$0")/args"; cat > "$(dirname "$0")/input"; echo done';

describe("how the prompt travels", () => {
  test("R74 prompt style stdin writes the prompt to stdin and closes it", async () => {
    const { client, folder } = openOwnCli(NOTES, { promptStyle: "stdin", defaultArgs: ["--quiet"] });
    expect((await client.run("own", { prompt: "-x @me /help\nsecond line" }).result()).text).toBe("done");
    expect(readFileSync(join(folder, "input"), "utf8")).toBe("-x @me /help\nsecond line");
    expect(readFileSync(join(folder, "args"), "utf8")).toBe("--quiet\n");
  });

  test("R75 prompt style arg makes the prompt the last argument, and stdin is empty and closed", async () => {
    const { client, folder } = openOwnCli(NOTES, { promptStyle: "arg", defaultArgs: ["--quiet"] });
    await client.run("own", { prompt: "-x says $HOME `ls`" }).result();
    expect(readFileSync(join(folder, "args"), "utf8")).toBe("--quiet\n--\n-x says $HOME `ls`\n");
    expect(readFileSync(join(folder, "input"), "utf8")).toBe("");
  });

  test.for([
    [{ promptFlag: "--prompt" }, ["--prompt=-x"]],
    [{ promptFlag: "-p" }, undefined],
    [{ endOfOptions: false }, undefined],
  ] as const)("R75 a prompt that begins with a dash is no option: %j", async ([entry, args]) => {
    const { client } = openOwnCli(NOTES, { promptStyle: "arg", ...entry });
    const planned = client.plan("own", { prompt: "-x" });
    if (args === undefined) expect(planned).toMatchObject({ failure: { code: "prompt-malformed" } });
    else expect(planned).toMatchObject({ plan: { args } });
    expect(client.plan("own", { prompt: "x" })).toMatchObject({ plan: { stdin: { text: "", close: "now" } } });
  });

  test("R75 a prompt that is too long for an argument is refused before anything is started", () => {
    const { client } = openOwnCli(NOTES, { promptStyle: "arg" });
    expect(client.plan("own", { prompt: "x".repeat(131_071) })).toMatchObject({ failure: { code: "prompt-too-large" } });
    expect(client.plan("own", { prompt: "x".repeat(131_070) })).toMatchObject({ plan: {} });
  });

  test("R76 a configuration without prompt style means stdin", async () => {
    const { client, folder } = openOwnCli(NOTES);
    await client.run("own", { prompt: "Hello" }).result();
    expect(readFileSync(join(folder, "input"), "utf8")).toBe("Hello");
  });
});

describe("a provider as one configuration object", () => {
  const DOCUMENTED = {
    providerId: "new-provider",
    defaultArgs: ["--output", "json"],
    outputFormat: "json",
    promptStyle: "stdin",
    models: [{ modelId: "default", name: "Default Model" }],
    defaultModel: "default",
    maxTokens: 4096,
    timeout: 120_000,
  };

  test("R134 the object with id, command, arguments, format, prompt style, models and limits is a provider", async () => {
    const { client, folder } = openOwnCli(`${NOTES} >/dev/null; echo '{"content":"Hello"}'`, DOCUMENTED);
    const provider = client.providers.at(-1);
    expect(provider).toMatchObject({
      id: "new-provider",
      models: ["default"],
      defaultModel: "default",
      transports: { spawn: { wire: { framing: "json" } } },
    });
    expect(provider?.timeouts?.totalMs).toBe(120_000);
    expect((await client.run("new-provider", { prompt: "Hi" }).result()).text).toBe("Hello");
    expect(readFileSync(join(folder, "args"), "utf8")).toBe("--output\njson\n");
  });

  test("R134 the timeout ends a run", async () => {
    const { client } = openOwnCli("exec sleep 60", { timeout: 300 });
    const { events } = await finishRun(client.run("own", { prompt: "Hi" }));
    expect(events.at(-1)).toMatchObject({ type: "run-end", failure: { category: "timeout" } });
    expect(JSON.stringify(events.at(-1))).toContain("after 300 ms");
  });

  test("R134 model and longest answer are passed by the options that the entry names", () => {
    const flags = { modelFlag: "--model", maxTokensFlag: "--max-tokens" };
    const { client } = openOwnCli(NOTES, { ...DOCUMENTED, ...flags });
    const argsOf = (target: string, request: object) => client.plan(target, { prompt: "Hi", ...request });
    expect(argsOf("new-provider", {})).toMatchObject({
      plan: { args: ["--output", "json", "--model", "default", "--max-tokens", "4096"] },
    });
    expect(argsOf("new-provider/big", { maxOutputTokens: 9 })).toMatchObject({
      plan: { args: ["--output", "json", "--model", "big", "--max-tokens", "9"] },
    });
  });

  test("R134 what an entry states and its program is not told is a limitation of the provider; names of models are not used", () => {
    const limits = (fields: object) => ownProvider({ ...DOCUMENTED, ...fields }).limitations?.join("\n");
    expect(limits({})).toMatch(/has defaultModel and no modelFlag.*\n.*has maxTokens and no maxTokensFlag/);
    expect(limits({ modelFlag: "--model", maxTokensFlag: "--max-tokens" })).not.toMatch(/modelFlag|maxTokensFlag/);
    expect(JSON.stringify(ownProvider(DOCUMENTED))).not.toContain("Default Model");
  });

  test("R134 what an entry has no option for is refused, not dropped", () => {
    const { client } = openOwnCli(NOTES, DOCUMENTED);
    for (const [target, request] of [
      ["new-provider/other", {}],
      ["new-provider", { maxOutputTokens: 9, strict: true }],
      ["new-provider", { system: "Be brief." }],
      ["new-provider", { mode: "agent", permissions: { mode: "plan" } }],
    ] as const) {
      expect(client.plan(target, { prompt: "Hi", ...request })).toMatchObject({ failure: { code: "option-unsupported" } });
    }
  });

  test("R135 an entry's rules locate the answer and classify its errors, and the provider passes the contract", () => {
    const provider = ownProvider({
      outputFormat: "stream-json",
      install: "npm install -g own-cli",
      versionsChecked: { oldest: "1.0.0", newest: "1.0.0" },
      extraction: {
        content: ["delta.value"],
        error: "problem.words",
        sessionId: "chat",
        inputTokens: "n.in",
        outputTokens: "n.out",
        end: { kind: "bye" },
      },
      errors: [{ text: "coffee", code: "quota-exhausted" }],
    });
    for (const check of providerContract(provider)) check.run();
    expect(builtinProviders.map(({ id }) => id)).not.toContain("own");
  });

  test("R135 a configuration file with mistakes makes no client, and every mistake is reported", () => {
    const { path } = readEntries({ outputFormat: "jsn", timeout: 0 });
    expect(() => createClient({ config: path })).toThrow(TypeError);
    expect(() => createClient({ config: path })).toThrow(
      /:1:\d+: providers\[0\]\.outputFormat .*\n.*:1:\d+: providers\[0\]\.timeout /,
    );
  });

  test("R135 a library loads no configuration by itself", () => {
    const { folder, config } = openOwnCli(NOTES);
    writeFileSync(join(folder, "coxswain.config.json"), readFileSync(config));
    expect(createClient({ config: false }).providers).toEqual(createClient().providers);
    expect(createClient().providers).toEqual(builtinProviders);
  });
});

describe("a failed program of an entry", () => {
  const LIMITED = 'echo "HTTP 429: too many requests, retry after 30 seconds" >&2; exit 1';
  const asked = (script: string, entry: object = {}) =>
    failureOf(openOwnCli(`cat >/dev/null; ${script}`, { ...entry }).client.run("own", { prompt: "Hi" }));

  test.for(["text", "json", "stream-json"] as const)(
    "the words on stderr count although it printed a text on stdout, as %s",
    async (outputFormat) => {
      const failure = await asked(`echo "Loading model…"; ${LIMITED}`, { outputFormat });
      expect(failure).toMatchObject({ category: "rate_limit", code: "rate-limited", retryAfterMs: 30_000 });
      expect(failure.message).toBe("HTTP 429: too many requests, retry after 30 seconds");
    },
  );

  test("the words on stderr count although its JSON says only that something failed", async () => {
    const failure = await asked(`echo '{"error":"Request failed"}'; ${LIMITED}`, { outputFormat: "json" });
    expect(failure).toMatchObject({ code: "rate-limited", retryAfterMs: 30_000 });
  });

  test("clear words on stdout outweigh vague words on stderr, and words without a known meaning are those of stderr", async () => {
    const named = await asked('echo "Invalid API key. Please log in."; echo "npm error code 1" >&2; exit 1');
    expect(named).toMatchObject({ code: "not-logged-in", message: "Invalid API key. Please log in." });
    const unnamed = await asked('echo "Loading model…"; echo "Error: the flux capacitor is cold" >&2; exit 1');
    expect(unnamed).toMatchObject({ code: "unclassified", message: "Error: the flux capacitor is cold" });
    expect(await asked('echo "The flux capacitor is cold"; exit 1')).toMatchObject({ message: "The flux capacitor is cold" });
  });

  test("R121 a rate limit that states no wait has the default of 1,000 ms, marked as such", async () => {
    const failure = await asked('echo "Error: 429 too many requests" >&2; exit 1');
    expect(failure).toMatchObject({ category: "rate_limit", retryAfterMs: 1000, retryAfterIsDefault: true });
    expect(await asked("exit 1")).not.toHaveProperty("retryAfterMs");
  });
});

test("R204 the program of an entry gets no sign of a session of an AI CLI around this process", async () => {
  const markers = { CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: "cli", CODEX_THREAD_ID: "t", GEMINI_CLI: "1", OPENCODE: "1" };
  const { client } = openOwnCli("cat >/dev/null; env", {}, { ...markers, MINE: "yes" });
  const { text } = await client.run("own", { prompt: "Hi" }).result();
  expect(text).toContain("MINE=yes");
  expect(Object.keys(markers).filter((name) => text.includes(`${name}=`))).toEqual([]);
});

describe("an entry in code", () => {
  test("createClient takes it among its providers, and toProvider makes a provider of it", async () => {
    const { folder } = openOwnCli("cat >/dev/null; echo done");
    const entry = { providerId: "mine", command: join(folder, "own-cli") } as const;
    const client = createClient({ providers: [...builtinProviders, entry, toProvider({ ...entry, providerId: "other" })] });
    expect(client.providers.at(-1)).toMatchObject({ id: "other", label: "other" });
    for (const name of ["mine", "other"]) expect((await client.run(name, { prompt: "Hi" }).result()).text).toBe("done");
    await client.close();
  });

  test("a mistake in it is a TypeError that names the field", () => {
    const wrong = { providerId: "mine", command: "mine", outputFormat: "jsn" };
    expect(() => toProvider(wrong as never)).toThrow(TypeError);
    expect(() => toProvider(wrong as never)).toThrow(/outputFormat must be one of text, json, stream-json/);
    expect(() => createClient({ providers: [{ ...wrong, outputFormat: "json", comand: "x" } as never] })).toThrow(
      /there is no "comand" in the entry "mine"; did you mean "command"\?/,
    );
    const twice = { providerId: "claude", command: "mine" };
    expect(() => createClient({ providers: [...builtinProviders, twice] })).toThrow(/"claude" is the id of another provider/);
  });
});
