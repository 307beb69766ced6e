import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeProgram } from "../support/clis/write-program.ts";
import { ask, cox, processesWith, startCox, temporaryFolder } from "../support/cox/start-cox.ts";
import { toLines } from "../support/cox/start-rehearsal.ts";

const NO_CLAUDE = { env: { PATH: "/nowhere" } };
const ANSWER = /^You asked: “hi”\. .*\n$/;
const CANCELLED = /^✗ The run was cancelled\.\n$/;

/** A folder with two CLIs: `busy` is rate limited for half a minute, and `claude` costs 75 cents and fails. */
function openShop() {
  const folder = temporaryFolder();
  const [bin, calls] = [join(folder.path, "bin"), join(folder.path, "calls")];
  writeProgram(
    join(bin, "busy"),
    'cat >/dev/null; echo "Error: 429 Too many requests. Please try again in 30 seconds." >&2; exit 1',
  );
  const result = { type: "result", subtype: "success", is_error: true, api_error_status: 529, total_cost_usd: 0.75 };
  const usage = { input_tokens: 9, output_tokens: 1 };
  const line = JSON.stringify({ ...result, result: "API Error: 529 Overloaded.", usage, session_id: randomUUID() });
  writeProgram(join(bin, "claude"), `read -r prompt; echo called >>"${calls}"; echo '${line}'; exit 1`);
  const config = folder.write("config.json", '{ "providers": [{ "providerId": "busy", "command": "./bin/busy" }] }');
  const options = { env: { PATH: `${bin}:/usr/bin:/bin`, XDG_STATE_HOME: join(folder.path, "state") } };
  const callCount = (): number => (existsSync(calls) ? readFileSync(calls, "utf8").split("\n").length - 1 : 0);
  return { ...folder, config, options, callCount };
}

describe.concurrent("a chain of cox ask", () => {
  test("goes to the next CLI when the first is not installed, with one line about it", async () => {
    const { stdout, stderr, exitCode } = await cox(["ask", "--provider", "claude, rehearsal", "hi"], NO_CLAUDE);
    expect(stdout).toMatch(ANSWER);
    expect(stderr).toMatch(/^· claude → rehearsal: Claude Code was not found \([^\n]*\) \(cli-missing\)\.\n$/);
    expect(exitCode).toBe(0);
  });

  test("is in the result of --json, and stderr stays empty", async () => {
    const { stdout, stderr, exitCode } = await cox(["ask", "--json", "--provider", "claude,rehearsal", "hi"], NO_CLAUDE);
    expect(JSON.parse(stdout)).toMatchObject({
      finish: "stop",
      attempts: [{ provider: "claude", failure: { code: "cli-missing" } }, { provider: "rehearsal" }],
    });
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  });

  test("is in the events of --stream-json, and stderr stays empty", async () => {
    const args = ["ask", "--stream-json", "--retries", "1", "--provider", "rehearsal/overloaded,rehearsal", "hi"];
    const { stdout, stderr, exitCode } = await cox(args);
    const kinds = toLines(stdout).map(({ type }) => type);
    expect(kinds.filter((type) => ["attempt-start", "retry", "fallback"].includes(String(type)))).toEqual([
      "attempt-start",
      "retry",
      "attempt-start",
      "fallback",
      "attempt-start",
    ]);
    expect([kinds.at(0), kinds.at(-1), stderr, exitCode]).toEqual(["run-start", "run-end", "", 0]);
  });

  test("goes to the next one after the retries of the first", async () => {
    const { stdout, stderr, exitCode } = await cox(["ask", "--provider", "rehearsal/overloaded,rehearsal", "hi"]);
    expect(stdout).toMatch(ANSWER);
    expect(
      stderr.match(/^· rehearsal\/overloaded(?:: .* attempt [23] of 3\.| → rehearsal: .* \(overloaded\)\.)$/gm),
    ).toHaveLength(3);
    expect(exitCode).toBe(0);
  });

  test("ends with the failure of the last CLI, printed in two lines with its name", async () => {
    const { stdout, stderr, exitCode } = await cox(["ask", "--provider", "claude,codex", "hi"], NO_CLAUDE);
    expect(stderr).toMatch(/^· claude → codex: .*\n✗ codex: Codex was not found .*\n→ .*npm install -g @openai\/codex\n$/);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 7 });
  });

  test("ends after the first CLI with --no-fallback", async () => {
    const { stdout, stderr, exitCode } = await cox(["ask", "--no-fallback", "--provider", "claude,rehearsal", "hi"], NO_CLAUDE);
    expect(stderr).toMatch(/^✗ Claude Code was not found .*\n→ .+\n$/);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 7 });
  });

  test("can name a model per CLI, slashes included, and --model applies to the first", async () => {
    const modelOf = async (...args: readonly string[]): Promise<string> => {
      const { stdout } = await cox(["ask", "--dry-run", ...args, "hi"]);
      const { args: words }: { readonly args: readonly string[] } = JSON.parse(stdout);
      return words[words.indexOf("--model") + 1] ?? "";
    };
    expect(await modelOf("--provider", "rehearsal/vendor/name,claude")).toBe("vendor/name");
    expect(await modelOf("--provider", "rehearsal,claude", "--model", "tool")).toBe("tool");
  });
});

describe.concurrent("a temporary failure", () => {
  const RETRY = String.raw`· rehearsal: API Error: 529 Overloaded \(overloaded\)\. Retry in [\d.]+ m?s, attempt`;

  test("is retried twice by default, with a line for each retry", async () => {
    const { stdout, stderr, exitCode } = await ask(["--model", "overloaded", "hi"]);
    expect(stderr).toMatch(new RegExp(`^${RETRY} 2 of 3\\.\n${RETRY} 3 of 3\\.\n✗ API Error: 529 Overloaded.*\n→ .+\n$`));
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 5 });
  });

  test("is not retried with --retries 0", async () => {
    const { stderr, exitCode } = await ask(["--model", "overloaded", "--retries", "0", "hi"]);
    expect(stderr).toMatch(/^✗ API Error: 529 Overloaded.*\n→ .+\n$/);
    expect(exitCode).toBe(5);
  });

  test("is given up at once when its wait is longer than --max-wait, and the next CLI answers", async () => {
    using shop = openShop();
    const args = ["ask", "--config", shop.config, "--provider", "busy,rehearsal", "--max-wait", "29", "hi"];
    const { stdout, stderr } = await cox(args, shop.options);
    expect(stdout).toMatch(ANSWER);
    expect(stderr).toMatch(/^· busy → rehearsal: Error: 429 Too many requests \(rate-limited\)\.\n$/);
  });

  test("is waited for until Ctrl-C, which ends the wait with exit code 130 and leaves nothing running", async () => {
    using shop = openShop();
    const mark = randomUUID();
    const started = startCox(["ask", "--config", shop.config, "--provider", "busy,rehearsal", "hi"], {
      env: { ...shop.options.env, COX_TEST: mark },
    });
    await started.until((_, stderr) => stderr.includes("Retry in 30.0 s, attempt 2 of 3."));
    started.child.kill("SIGINT");
    const { stdout, stderr, exitCode, signal } = await started.ended;
    expect({ stdout, exitCode, signal }).toEqual({ stdout: "", exitCode: 130, signal: null });
    expect(stderr.slice(stderr.indexOf("\n") + 1)).toMatch(CANCELLED);
    expect(processesWith(`COX_TEST=${mark}`, "COXSWAIN_RUN=")).toEqual([]);
    while (processesWith(`COX_TEST=${mark}`).length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  });
});

describe.concurrent("--budget-usd", () => {
  test("does not stop a run without costs", async () => {
    const { stdout, stderr, exitCode } = await ask(["--budget-usd", "0.01", "hi"]);
    expect(stdout).toMatch(ANSWER);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  });

  test("once spent allows neither a retry nor a fallback", async () => {
    using shop = openShop();
    const { stderr, exitCode } = await cox(["ask", "--provider", "claude,rehearsal", "--budget-usd", "0.5", "hi"], shop.options);
    expect(stderr).toMatch(/^✗ The budget of this run of \$0\.5 is used up \(\$0\.7500\)\.\n→ Raise .+\n$/);
    expect([exitCode, shop.callCount()]).toEqual([1, 1]);
  });

  test("that is not spent yet allows another attempt", async () => {
    using shop = openShop();
    const { stderr } = await cox(["ask", "--provider", "claude,rehearsal", "--budget-usd", "1", "hi"], shop.options);
    expect(stderr).toMatch(/^· claude: .* attempt 2 of 3\.\n✗ The budget of this run of \$1 is used up \(\$1\.5000\)\.\n→ /);
    expect(shop.callCount()).toBe(2);
  });
});
