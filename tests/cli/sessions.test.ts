import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cox } from "../support/cox/start-cox.ts";
import { openTestScope } from "../support/test-scope.ts";

/** Runs cox in a directory and with a state of its own. */
function openCox() {
  const { env, directory } = openTestScope();
  return { directory, run: (...args: readonly string[]) => cox(args, { env, cwd: directory }) };
}

describe("cox ask in a session", () => {
  test("--continue continues the last session of the directory, and begins one with a note if there is none", async () => {
    const { run } = openCox();
    const first = await run("ask", "-p", "rehearsal", "--continue", "one");
    expect(first.stderr).toContain("This directory has no session yet; this begins one.");
    const second = await run("ask", "-c", "two");
    expect(second.stdout).toContain("This is prompt 2 of this session; the one before was: one");
    expect(second.stderr).toBe("");
    const elsewhere = await cox(["ask", "-p", "rehearsal", "-c", "three"], { env: openTestScope().env });
    expect(elsewhere.stdout).not.toContain("prompt 2");
  });

  test("--session creates and continues a session by name; --model keeps the session of the CLI, --provider hands over", async () => {
    const { run } = openCox();
    await run("ask", "-p", "rehearsal", "--system", "Be brief.", "--session", "log book", "one");
    const second = await run("ask", "--session", "log book", "-m", "linger", "two");
    expect(second.stdout).toContain("This is prompt 2 of this session; the one before was: one");
    const [record] = JSON.parse((await run("sessions", "list", "--json")).stdout);
    expect(record).toMatchObject({
      name: "log book",
      turns: 2,
      targets: [{ provider: "rehearsal", model: "linger" }],
      settings: { system: "Be brief." },
    });
  });

  test("--resume takes the beginning of an id and the session id of a result", async () => {
    const { run } = openCox();
    const { stdout } = await run("ask", "-p", "rehearsal", "--session", "x", "--json", "one");
    const { sessionId } = JSON.parse(stdout);
    const [{ id }] = JSON.parse((await run("sessions", "--json")).stdout);
    for (const word of [sessionId, id.slice(0, 6)])
      expect((await run("ask", "--resume", word, "next")).stdout).toMatch(/This is prompt \d of this session/);
    const unknown = await run("ask", "--resume", "0000dead", "next");
    expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('There is no session "0000dead".') });
  });

  test.each([
    [["--continue", "--session", "x"], "--continue and --session contradict each other."],
    [["--session", "x", "--resume", "y"], "--session and --resume contradict each other."],
    [["--dry-run", "-c"], "--dry-run and --continue contradict each other."],
    [["--session", " "], "--session has an empty name."],
  ])("%j is a usage error", async (flags, message) => {
    const { exitCode, stderr } = await openCox().run("ask", "-p", "rehearsal", ...flags, "hi");
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  test("a denied tool call fails the turn of a session", async () => {
    const { run } = openCox();
    const args = ["-p", "rehearsal/tool", "--agent", "--deny-tool", "Clock", "--session", "x", "What time is it?"];
    const { exitCode, stderr } = await run("ask", ...args);
    expect(exitCode).toBe(6);
    expect(stderr).toContain("was not allowed to use Clock");
  });
});

describe("cox sessions", () => {
  test("lists and shows the stored sessions", async () => {
    const { run } = openCox();
    expect((await run("sessions")).stdout).toBe("No session is stored.\n");
    await run("ask", "-p", "rehearsal", "--session", "x", "one");
    const list = (await run("sessions", "list")).stdout;
    expect(list).toMatch(/^ID +NAME +TARGET +TURNS +LAST USED +DIRECTORY\n[0-9a-f]{8} +x +rehearsal +1 +\d\d:\d\d +\S+\n$/);
    const shown = (await run("sessions", "show", "x")).stdout;
    expect(shown).toMatch(/^id: [0-9a-f-]{36}\nname: x\ntargets: rehearsal\n/);
    expect(shown).toContain("\nuser:\none\n\nassistant:\nYou asked: “one”.");
    const { messages } = JSON.parse((await run("sessions", "show", "x", "--json")).stdout);
    expect(messages).toMatchObject([{ role: "user", text: "one" }, { role: "assistant" }]);
    expect((await run("sessions", "show", "nobody")).exitCode).toBe(1);
  });

  test("removes a session, and the transcript of the CLI only with --transcript", async () => {
    const { run, directory } = openCox();
    const transcript = async (name: string): Promise<string> => {
      const { stdout } = await run("ask", "-p", "rehearsal", "--session", name, "--json", "one");
      return join(directory, "state/coxswain/rehearsal", `${JSON.parse(stdout).sessionId}.json`);
    };
    const [kept, removed] = [await transcript("x"), await transcript("y")];
    expect((await run("sessions", "rm", "x")).stdout).toMatch(
      /^Removed: .* \(x\)\.\nThe transcript of rehearsal stays:\s[\s\S]*--transcript\.\n$/,
    );
    expect(JSON.parse((await run("sessions", "rm", "y", "--transcript", "--json")).stdout)).toMatchObject({
      transcripts: [removed],
      removedTranscripts: true,
    });
    expect([existsSync(kept), existsSync(removed)]).toEqual([true, false]);
    expect((await run("sessions")).stdout).toBe("No session is stored.\n");
  });
});
