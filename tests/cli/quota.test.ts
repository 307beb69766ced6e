import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { forgottenLines, quotaTable } from "../../src/cli/quota.ts";
import { colorsFor } from "../../src/cli/terminal/screen.ts";
import { ENDLESS } from "../../src/cli/terminal/table.ts";
import type { SpentQuota } from "../../src/spec/client-options.ts";
import { cox, temporaryFolder } from "../support/cox/start-cox.ts";
import type { Ended } from "../support/cox/start-program.ts";

/** A user with an empty quota memory, in a time zone far from UTC. */
function openAccount() {
  const folder = temporaryFolder();
  const env = { XDG_STATE_HOME: folder.path, HOME: folder.path, TZ: "Asia/Tokyo" };
  const run = (...args: readonly string[]): Promise<Ended> => cox(args, { env, cwd: folder.path });
  return { ...folder, run, ask: (...args: readonly string[]) => run("ask", ...args, "hi") };
}

/** A configuration with a CLI that always answers. */
function withEcho({ write }: Pick<ReturnType<typeof openAccount>, "write">): string {
  const provider = { providerId: "echo", command: "/bin/echo", defaultArgs: ["at your service"] };
  return write("config.json", JSON.stringify({ providers: [provider] }));
}

function tokyoTime(iso: string): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Tokyo", hour: "2-digit", minute: "2-digit" }).format(new Date(iso));
}

// Several starts in a row, each slow on a busy machine.
describe.concurrent("cox quota", () => {
  test("is empty at first, which is not a failure", async () => {
    using account = openAccount();
    expect(await account.run("quota")).toMatchObject({ stdout: "No used-up quota is stored.\n", stderr: "", exitCode: 0 });
    expect(await account.run("quota", "--json")).toMatchObject({ stdout: "[]\n", exitCode: 0 });
    expect(await account.run("quota", "clear")).toMatchObject({ stdout: "No used-up quota is stored.\n", exitCode: 0 });
    expect(await account.run("quota", "clear", "codex")).toMatchObject({ stdout: "No used-up quota of codex is stored.\n" });
  });

  test("prints the CLI's message, the reset time in local time, and the command that clears it", async () => {
    using account = openAccount();
    const failed = await account.ask("--provider", "rehearsal/usage-limit");
    expect(failed.stderr).toMatch(/^✗ You've hit your limit .*\n→ .* Coxswain does not use it before .*: see cox quota\.\n$/);
    const [spent]: readonly SpentQuota[] = JSON.parse((await account.run("quota", "--json")).stdout);
    expect(spent).toMatchObject({ provider: "rehearsal", message: expect.stringMatching(/^You've hit your limit · resets /) });
    const { stdout, exitCode } = await account.run("quota");
    const [headings, row, words, ...rest] = stdout.split("\n");
    expect(headings).toMatch(/^PROVIDER +SPENT UNTIL +THAT IS IN +KNOWN SINCE$/);
    expect(row).toMatch(new RegExp(`^rehearsal +(?:\\w{3} )?${tokyoTime(spent?.resetAt ?? "")} +(?:1 h 5\\d min|2 h) +`));
    expect(words).toBe(`  ${spent?.message}`);
    expect(rest.join("\n")).toMatch(/^\nUntil then .*\n {2}\$ cox quota clear rehearsal\n$/);
    expect(exitCode).toBe(0);
  });

  test("prevents runs of a CLI until it is cleared; a chain continues with the next", async () => {
    using account = openAccount();
    await account.ask("--provider", "rehearsal/usage-limit");
    const refused = await account.ask("--provider", "rehearsal");
    expect(refused.stderr).toMatch(
      /^✗ The quota of Rehearsal is used up until (?:\w{3} )?\d\d:\d\d: .*\n→ .* Run: cox quota clear rehearsal\n$/,
    );
    expect(refused).toMatchObject({ stdout: "", exitCode: 4 });
    const chain = await account.run("ask", "--provider", "rehearsal,echo", "--config", withEcho(account), "hi");
    expect(chain.stdout).toBe("at your service\n");
    expect(chain.stderr).toMatch(/^· rehearsal → echo: The quota of Rehearsal is used up until .* \(quota-exhausted\)\.\n$/);
    const cleared = await account.run("quota", "clear", "rehearsal");
    expect(cleared.stdout).toMatch(/^Cleared: rehearsal, used up until (?:\w{3} )?\d\d:\d\d\.\n$/);
    expect(readdirSync(join(account.path, "coxswain", "quota"))).toEqual([]);
    expect(await account.ask("--provider", "rehearsal")).toMatchObject({ stderr: "", exitCode: 0 });
  });

  test("is a warning of cox doctor, with the command that clears it", async () => {
    using account = openAccount();
    await account.ask("--provider", "rehearsal/usage-limit");
    const { stdout, exitCode } = await account.run("doctor", "rehearsal");
    expect(stdout).toMatch(/\nrehearsal +! ready /);
    expect(stdout).toMatch(
      /\n! rehearsal: The quota is used up until .*\n {2}You've hit your limit .*\n {2}\$ cox quota clear rehearsal\n\n/,
    );
    const { spentQuotas } = JSON.parse((await account.run("doctor", "rehearsal", "--json")).stdout);
    expect(spentQuotas).toEqual(JSON.parse((await account.run("quota", "--json")).stdout));
    expect(exitCode).toBe(0);
  });

  test("clear --json prints the entries that --json lists", async () => {
    using account = openAccount();
    await account.ask("--provider", "rehearsal/usage-limit");
    const known = (await account.run("quota", "--json")).stdout;
    expect(await account.run("quota", "clear", "codex", "--json")).toMatchObject({ stdout: "[]\n", exitCode: 0 });
    expect(await account.run("quota", "clear", "--json")).toMatchObject({ stdout: known, exitCode: 0 });
    expect(await account.run("quota", "--json")).toMatchObject({ stdout: "[]\n" });
  });

  test.each([
    { args: ["clear", "codx"], says: /^✗ There is no provider or model "codx"\.\n→ .*codex.*\n$/ },
    { args: ["clera"], says: /^✗ .*clera.*\n→ .+\n$/ },
    { args: ["clear", "claude", "codex"], says: /^✗ Too many arguments.*\n→ .+\n$/ },
  ])("takes $args for a usage error", async ({ args, says }) => {
    using account = openAccount();
    const { stdout, stderr, exitCode } = await account.run("quota", ...args);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
    expect(stderr).toMatch(says);
  });
});

describe("the table of spent quotas", () => {
  const plain = colorsFor(Object.assign(Object.create(process.stdout), { isTTY: false }));
  const now = new Date(2026, 10, 16, 17, 18).getTime();
  const seenAt = new Date(now - 60_000).toISOString();
  const inMinutes = (minutes: number): string => new Date(now + minutes * 60_000).toISOString();
  const spent: readonly SpentQuota[] = [
    { provider: "claude", resetAt: inMinutes(106), seenAt, message: "Spent." },
    { provider: "claude", model: "opus", profile: "/home/ada/.claude-work", resetAt: inMinutes(4560), seenAt, message: "" },
    { provider: "codex", account: "0a1b2c3d4e5f", resetAt: inMinutes(1), seenAt, message: `\u001b[2Jword ${"long ".repeat(30)}` },
  ];

  test("has columns for logins and models when they differ, and each row fits on a line", () => {
    const lines = quotaTable(spent, plain, ENDLESS, now).split("\n");
    expect(lines.slice(0, 4)).toEqual([
      "PROVIDER  LOGIN                   MODEL  SPENT UNTIL  THAT IS IN  KNOWN SINCE",
      "claude                                   19:04        1 h 46 min  17:17",
      "  Spent.",
      "claude    /home/ada/.claude-work  opus   Thu 21:18    3 d 4 h     17:17",
    ]);
    expect(lines[4]).toBe("codex     API key                        17:19        1 min       17:17");
    expect(lines[5]).toMatch(/^ {2}\\u001b\[2Jword long /);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(lines.at(-2)).toBe("  $ cox quota clear");
  });

  test("names the cleared entries", () => {
    expect(forgottenLines(spent.slice(1, 2), "claude")).toMatch(
      /^Cleared: claude \(opus, \/home\/ada\/\.claude-work\), used up until /,
    );
    expect(forgottenLines(spent.slice(2), undefined)).toMatch(/^Cleared: codex \(API key\), used up until /);
  });
});
