import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/index.ts";
import { writeProgram } from "../support/clis/write-program.ts";
import { finishRun } from "../support/runs/read-run.ts";
import { failureOf } from "../support/runs/run-expectations.ts";
import { openTestScope } from "../support/test-scope.ts";
import { installClaude } from "./claude-on-path.ts";

const KEY = "sk-ant-requirements-test-0123456789";
const LOGIN = "login-of-the-user-0123456789";

describe("the login", () => {
  test("R67 an API key of the environment stays there: it is in no plan, argument, input or file of ours", async () => {
    const claude = installClaude({ ANTHROPIC_API_KEY: KEY });
    const request = { prompt: "Hi", mode: "agent", mcpServers: { notes: { command: "notes" } } } as const;
    const seen = await claude.ask(request);
    expect(seen.env["ANTHROPIC_API_KEY"]).toBe(KEY);
    expect(JSON.stringify([seen.argv, seen.line, seen.files])).not.toContain(KEY);
    expect(JSON.stringify(claude.client.plan("claude", request))).not.toContain(KEY);
    expect(textBelow(claude.directory)).not.toContain(KEY);
  });

  test("R67 R141 the login that the CLI keeps in the home directory is left where it is", async () => {
    const claude = installClaude({ HOME: "/nowhere" });
    const home = join(claude.directory, "home");
    mkdirSync(join(home, ".claude"), { recursive: true });
    writeFileSync(join(home, ".claude", ".credentials.json"), LOGIN);
    const seen = await claude.ask({ prompt: "Hi", env: { HOME: home } });
    expect(seen.env["HOME"]).toBe(home);
    expect(JSON.stringify(seen)).not.toContain(LOGIN);
    expect(textBelow(join(claude.directory, "state"))).not.toContain(LOGIN);
    expect(readdirSync(join(home, ".claude"))).toEqual([".credentials.json"]);
  });

  test("R141 no key is required, and the CLI can use its own login", async () => {
    const seen = await installClaude({ ANTHROPIC_API_KEY: "", ANTHROPIC_AUTH_TOKEN: "" }).ask({ prompt: "Hi" });
    // With --bare the CLI does not read a subscription login; another configuration directory would hide it.
    expect(seen.argv).not.toContain("--bare");
    expect(seen.env["CLAUDE_CONFIG_DIR"]).toBe(process.env["CLAUDE_CONFIG_DIR"]);
  });

  test("R141 a stray API key can be kept from taking the place of the login", async () => {
    const claude = installClaude({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_AUTH_TOKEN: KEY });
    const seen = await claude.ask({ prompt: "Hi", auth: "subscription" });
    expect([seen.env["ANTHROPIC_API_KEY"], seen.env["ANTHROPIC_AUTH_TOKEN"]]).toEqual([undefined, undefined]);
  });
});

describe("the provider claude", () => {
  test("R68 the provider claude is the command claude, prints stream-json, gets the prompt on stdin and finds its own home", async () => {
    const claude = installClaude();
    const prompt = "What is in ~/.claude?";
    const seen = await claude.ask({ prompt });
    expect(claude.client.locate("claude")).toBe(claude.path);
    expect(seen.argv[seen.argv.indexOf("--output-format") + 1]).toBe("stream-json");
    expect(JSON.parse(seen.line)).toMatchObject({ type: "user", message: { content: [{ type: "text", text: prompt }, {}] } });
    expect(seen.argv).not.toContain(prompt);
    expect(seen.env["HOME"]).toBe(process.env["HOME"]);
  });

  test("R174 the provider claude answers to the id claude-code as well", async () => {
    const claude = installClaude();
    const run = await finishRun(claude.client.run("claude-code", { prompt: "Hi" }));
    expect(run.end).toMatchObject({ finish: "stop" });
    expect(run.events).toContainEqual(expect.objectContaining({ type: "attempt-start", provider: "claude" }));
    expect(claude.client.locate("claude-code")).toBe(claude.path);
  });

  test("R169 the CLI is a direct child of ours, with no program and no SDK in between", async () => {
    expect(await installClaude().ask({ prompt: "Hi" })).toMatchObject({ parent: process.pid });
    const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    const needed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies });
    expect(needed.filter((name) => /anthropic|claude|agent-sdk/.test(name))).toEqual([]);
  });
});

describe("the environment of the child", () => {
  test.for(["completion", "agent"] as const)(
    "R123 the child has TERM, NO_COLOR and CI besides the inherited variables, in %s mode",
    async (mode) => {
      const claude = installClaude({ TERM: "xterm-256color", HTTPS_PROXY: "http://proxy.invalid:3128", FORCE_COLOR: "1" });
      const { env } = await claude.ask({ prompt: "Hi", mode });
      expect(env).toMatchObject({ TERM: "dumb", NO_COLOR: "1", CI: "true", HTTPS_PROXY: "http://proxy.invalid:3128" });
      expect(env["FORCE_COLOR"]).toBeUndefined();
    },
  );

  test("R204 the child has no CLAUDECODE and no other sign of a session around it", async () => {
    const markers = { CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: "cli", CLAUDE_CODE_SSE_PORT: "4711" };
    const { env } = await installClaude(markers).ask({ prompt: "Hi" });
    expect(Object.keys(markers).filter((name) => name in env)).toEqual([]);
  });

  test("R123 R204 a program that is only asked for its version has the same environment", async () => {
    const { directory, env } = openTestScope();
    const note = join(directory, "note");
    const noteStart = `echo "$1 $TERM $NO_COLOR $CI $CLAUDECODE." >> "${note}"`;
    const refuse = `[ "$1" = --version ] && echo 9.9.9 && exit 0; echo "error: unknown option '--effort'" >&2; exit 1`;
    const path = writeProgram(join(directory, "claude"), `${noteStart}\n${refuse}`);
    const client = createClient({ binaries: { claude: path }, env: { ...env, TERM: "xterm", CLAUDECODE: "1" } });
    onTestFinished(() => client.close());
    expect((await failureOf(client.run("claude", { prompt: "Hi" }))).message).toContain("9.9.9");
    expect(readFileSync(note, "utf8")).toBe("-p dumb 1 true .\n--version dumb 1 true .\n");
  });
});

/** The content of every file below a directory. */
function textBelow(directory: string): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}
