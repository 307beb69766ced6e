import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { builtFile } from "../support/built/built-file.ts";
import { openMcp } from "../support/cox/open-mcp.ts";
import { cox, temporaryFolder } from "../support/cox/start-cox.ts";
import { follow } from "../support/cox/start-program.ts";

const SCHEMA = { type: "object", properties: { boat: { enum: ["eight"] } }, required: ["boat"] };

describe("cox mcp with the official client", () => {
  test("lists its tools; ask, compare, session, health and models answer with text and data", async () => {
    const { client, call, stderr } = await openMcp("--provider", "rehearsal/crash,rehearsal");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["ask", "compare", "session", "health", "models"]);
    expect(tools.find(({ name }) => name === "ask")?.inputSchema).toMatchObject({ required: ["prompt"] });
    expect(Object.keys(tools[0]?.inputSchema.properties ?? {})).not.toContain("agent");
    expect(client.getInstructions()).toContain("Coxswain asks other AI CLIs");

    const answered = await call("ask", { prompt: "SECRET-WORDS", target: "rehearsal", system: "12345678" });
    expect(answered.text).toContain("You asked: “SECRET-WORDS”.");
    expect(answered.data).toMatchObject({
      text: answered.text,
      provider: "rehearsal",
      model: "friendly",
      finish: "stop",
      costUsd: 0,
    });
    expect(answered.data["usage"]).toMatchObject({ inputTokens: 5 });
    expect(answered.isError).toBe(false);

    const fallen = await call("ask", { prompt: "SECRET-WORDS", schema: SCHEMA });
    expect(fallen.data).toMatchObject({ object: { boat: "eight" }, provider: "rehearsal", model: "friendly" });
    expect(fallen.data["attempts"]).toMatchObject([{ model: "crash", failure: { code: "crashed" } }, { model: "friendly" }]);

    const compared = await call("compare", {
      prompt: "SECRET-WORDS",
      targets: ["rehearsal/not-logged-in", "rehearsal/reasoning"],
    });
    expect(compared.data["results"]).toMatchObject([
      { target: "rehearsal/not-logged-in", failure: { code: "not-logged-in", hint: expect.any(String) } },
      { target: "rehearsal/reasoning", provider: "rehearsal", durationMs: expect.any(Number), firstTextMs: expect.any(Number) },
    ]);
    expect(compared.text).toMatch(/^## rehearsal\/not-logged-in\n.*\n.*\n\n## rehearsal\/reasoning\nYou asked/);
    expect(compared.isError).toBe(false);

    const health = await call("health", { providers: ["rehearsal", "nobody"] });
    expect(health.data).toMatchObject({ usable: ["rehearsal"], spentQuotas: [] });
    expect(health.data["providers"]).toMatchObject([
      { provider: "rehearsal", usable: true },
      { failures: [{ code: "provider-unknown" }] },
    ]);

    const models = await call("models", { providers: ["rehearsal"] });
    expect(models.data["providers"]).toMatchObject([{ provider: "rehearsal", installed: true, defaultModel: "friendly" }]);
    expect(models.text).toMatch(/^rehearsal: friendly, slow, /);
    expect(stderr()).toMatch(/^ask rehearsal \d+\.\d s answered\nask rehearsal\/crash,rehearsal \d+\.\d s answered\n/);
    expect(stderr()).not.toContain("SECRET-WORDS");
  });

  test("a session remembers its earlier messages, by name and by id", async () => {
    const { call } = await openMcp();
    const first = await call("session", { prompt: "one", name: "log book", target: "rehearsal" });
    expect(first.data).toMatchObject({ turns: 1, name: "log book", sessionId: expect.any(String) });
    const second = await call("session", { prompt: "two", name: "log book" });
    expect(second.text).toContain("This is prompt 2 of this session; the one before was: one");
    const third = await call("session", { prompt: "three", id: first.data["sessionId"] });
    expect(third.text).toContain("This is prompt 3 of this session; the one before was: two");
    expect(third.data).toMatchObject({ sessionId: first.data["sessionId"], turns: 3 });
    const unknown = await call("session", { prompt: "four", id: "nobody" });
    expect(unknown).toMatchObject({ isError: true, data: { failure: { code: "session-unknown" } } });
  });

  test("an answer of ask goes on as a session, whose CLI gets the conversation", async () => {
    const { call } = await openMcp();
    const asked = await call("ask", { prompt: "Name a boat.", target: "rehearsal", system: "Be brief." });
    const id = asked.data["sessionId"];
    expect(id).toEqual(expect.any(String));
    const second = await call("session", { prompt: "And another?", id });
    expect(second).toMatchObject({ isError: false, data: { provider: "rehearsal", turns: 1 } });
    // The rehearsal CLI repeats the beginning of its prompt, which is the conversation so far.
    expect(second.text).toMatch(/^You asked: “<thread>\n.*>Name a b/);
    const third = await call("session", { prompt: "Thank you.", id });
    expect(third.data).toMatchObject({ sessionId: second.data["sessionId"], turns: 2 });
    expect(third.text).toContain("This is prompt 2 of this session");
    const failed = await call("ask", { prompt: "hi", target: "rehearsal/not-logged-in" });
    expect(failed.data).not.toHaveProperty("sessionId");
  });

  test("failures and wrong arguments are tool errors, and the server goes on", async () => {
    const { call } = await openMcp("--quiet");
    const failed = await call("ask", { prompt: "hi", target: "rehearsal/not-logged-in" });
    const failure = {
      code: "not-logged-in",
      category: "authentication",
      message: "Not logged in · Please run /login",
      hint: expect.any(String),
    };
    expect(failed).toMatchObject({ isError: true, data: { provider: "rehearsal", failure } });
    expect(failed.text).toMatch(/^Not logged in · Please run \/login\n\S/);
    for (const args of [{}, { prompt: 1 }, { prompt: "hi", nonsense: true }, { prompt: "hi", agent: true, target: "rehearsal" }])
      expect(await call("ask", args)).toMatchObject({
        isError: true,
        text: expect.stringContaining("Invalid arguments for tool ask"),
      });
    expect(await call("ask", { prompt: "hi", target: "rehearsal/" })).toMatchObject({
      data: { failure: { code: "provider-unknown" } },
    });
    expect(await call("ask", { prompt: "hi", target: "nobody" })).toMatchObject({
      data: { failure: { code: "provider-unknown" } },
    });
    const twice = await call("compare", { prompt: "hi", targets: ["rehearsal", "rehearsal"] });
    expect(twice).toMatchObject({ isError: true, data: { failure: { code: "bad-request" } } });
    expect((await call("ask", { prompt: "hi", target: "rehearsal" })).isError).toBe(false);
  });

  test("reports progress without any text of the conversation, and a cancelled call ends its CLI", async () => {
    const { client, runs } = await openMcp("--quiet");
    const messages: string[] = [];
    const numbers: number[] = [];
    const onprogress = ({ progress, message }: { progress: number; message?: string | undefined }): void => {
      numbers.push(progress);
      messages.push(message ?? "");
    };
    const prompt = "SECRET-WORDS";
    await client.callTool({ name: "ask", arguments: { prompt, target: "rehearsal/slow" } }, { onprogress });
    expect(messages[0]).toMatch(/^rehearsal\/slow is working \(\d+ s\)$/);
    expect(messages.at(-1)).toMatch(/^rehearsal\/slow is working, \d+ characters so far \(\d+ s\)$/);
    expect(messages.join()).not.toContain(prompt);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));

    const cancel = new AbortController();
    const stubborn = client.callTool(
      { name: "ask", arguments: { prompt, target: "rehearsal/stubborn" } },
      { signal: cancel.signal },
    );
    await expect.poll(() => runs().length).toBe(1);
    cancel.abort("enough");
    await expect(stubborn).rejects.toThrow("enough");
    await expect.poll(() => runs()).toEqual([]);
    const result = await client.callTool({ name: "ask", arguments: { prompt, target: "rehearsal" } });
    expect(result.isError).toBe(false);
  });

  test("EOF on stdin ends the server and the CLIs of its open calls", async () => {
    const { client, runs, processes } = await openMcp();
    const open = client.callTool({
      name: "compare",
      arguments: { prompt: "hi", targets: ["rehearsal/silent", "rehearsal/stubborn"] },
    });
    const closed = expect(open).rejects.toThrow();
    await expect.poll(() => runs().length).toBe(2);
    await client.close();
    await closed;
    await expect.poll(() => processes()).toEqual([]);
  });

  test("SIGTERM does the same", async () => {
    const { client, runs, processes, pid } = await openMcp();
    const open = client.callTool({ name: "ask", arguments: { prompt: "hi", target: "rehearsal/stubborn" } });
    const closed = expect(open).rejects.toThrow();
    await expect.poll(() => runs().length).toBe(1);
    process.kill(pid, "SIGTERM");
    await closed;
    await expect.poll(() => processes()).toEqual([]);
  });
});

describe("agents of cox mcp", () => {
  test("work only inside the directory of --allow-agent, and a stored session of an agent goes on only there", async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "inside/below"), { recursive: true });
    mkdirSync(join(folder.path, "outside"));
    symlinkSync(join(folder.path, "outside"), join(folder.path, "inside/link"));
    const { call, env } = await openMcp("--allow-agent", join(folder.path, "inside"), "--allow-tool", "Clock");
    const agent = { prompt: "What time is it?", target: "rehearsal/tool", agent: true };
    const completion = await call("ask", { ...agent, agent: false });
    expect(completion.text).toContain("I have no tool Clock");
    for (const cwd of [undefined, ".", "below", join(folder.path, "inside/below")])
      expect((await call("ask", { ...agent, ...(cwd && { cwd }) })).text).toMatch(/^It is \d\d:\d\d UTC\.$/);
    const begun = await call("ask", agent);
    const next = await call("session", { prompt: "And now?", id: begun.data["sessionId"] });
    expect(next).toMatchObject({ isError: false, data: { turns: 2, sessionId: begun.data["sessionId"] } });
    for (const cwd of ["..", "../outside", "link", "/", join(folder.path, "outside"), "nowhere"])
      expect(await call("ask", { ...agent, cwd })).toMatchObject({ isError: true, data: { failure: { code: "cwd-unusable" } } });
    for (const place of ["inside", "outside"]) {
      const words = ["ask", "--agent", "--session", place, "-p", "rehearsal", "--cwd", join(folder.path, place)];
      expect((await cox([...words, "--allow-tool", "Clock", "one"], { env })).exitCode).toBe(0);
    }
    expect((await call("session", { prompt: "two", name: "inside" })).text).toContain("This is prompt 2 of this session");
    const refused = await call("session", { prompt: "two", name: "outside" });
    expect(refused).toMatchObject({ isError: true, data: { failure: { code: "cwd-unusable" } } });
  });

  test("do not go on in a stored session with more permissions than the server gives, or in more directories", async () => {
    using folder = temporaryFolder();
    const { call, env } = await openMcp("--allow-agent", folder.path);
    const begin = async (name: string, ...options: readonly string[]): Promise<void> => {
      const words = ["ask", "--agent", "--session", name, "-p", "rehearsal", "--cwd", folder.path, ...options, "one"];
      expect((await cox(words, { env })).exitCode).toBe(0);
    };
    await begin("same");
    expect((await call("session", { prompt: "two", name: "same" })).isError).toBe(false);
    for (const option of [
      ["--permission-mode", "bypass"],
      ["--allow-tool", "Bash"],
      ["--add-dir", "/"],
    ]) {
      await begin(option.join(" "), ...option);
      const refused = await call("session", { prompt: "two", name: option.join(" ") });
      expect(refused, String(option)).toMatchObject({ isError: true, data: { failure: { code: "session-invalid" } } });
    }
  });

  test.each([
    { args: ["--allow-agent", "/no/such/place"], says: "✗ /no/such/place is not a directory.\n" },
    {
      args: ["--permission-mode", "bypass"],
      says: "✗ --permission-mode, --allow-tool, --deny-tool and --trust-project need --allow-agent.\n",
    },
    { args: ["--provider", "nobody"], says: '✗ There is no provider or model "nobody".\n' },
  ])("$args is a usage error", async ({ args, says }) => {
    const { stdout, stderr, exitCode } = await cox(["mcp", ...args]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
    expect(stderr.startsWith(says)).toBe(true);
  });
});

describe("cox mcp below other programs with Coxswain", () => {
  test("starts in a run of one, and is refused in a run of two", async () => {
    const one = await cox(["mcp"], { env: { COXSWAIN_RUN: "outer.1" } });
    expect(one).toMatchObject({ stdout: "", stderr: "", exitCode: 0 });
    const words = ["-c", 'COXSWAIN_RUN=inner.1 "$0" "$@"; exit $?', process.execPath, builtFile("bin/cox.js"), "mcp"];
    const two = await follow(
      spawn("sh", words, { env: { ...process.env, COXSWAIN_RUN: "outer.1" }, stdio: ["ignore", "pipe", "pipe"] }),
    ).ended;
    expect(two).toMatchObject({ stdout: "", exitCode: 2 });
    expect(two.stderr).toMatch(/^✗ cox mcp does not start here: .*\n→ .*\n$/);
  });
});
