import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { cox, temporaryFolder } from "../support/cox/start-cox.ts";

const ended = cox(["completion", "bash"], { env: { HOME: "/nowhere", XDG_CONFIG_HOME: undefined } });

/** The replies of a real bash for a line whose last word is being completed. */
async function complete(cwd: string, ...words: readonly string[]): Promise<readonly string[]> {
  const line = words.map((word) => `'${word}'`).join(" ");
  const asked = `COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _cox; printf '%s\\n' "\${COMPREPLY[@]}"; complete -p cox >&2`;
  const { stdout } = await ended;
  const replies = execFileSync("bash", ["--norc", "-c", `${stdout}\n${asked}`], { cwd, encoding: "utf8", stdio: "pipe" });
  return replies.split("\n").filter((reply) => reply !== "");
}

describe.concurrent("completion in bash", () => {
  test.each([
    { words: ["cox", "c"], replies: ["compare", "chat", "config", "completion"] },
    { words: ["cox", "--v"], replies: ["--version"] },
    { words: ["cox", "ask", "--pro"], replies: ["--provider"] },
    {
      words: ["cox", "ask", "--no-"],
      replies: ["--no-config", "--no-fallback", "--no-trust-project", "--no-background", "--no-serve"],
    },
    { words: ["cox", "ask", "-p", "co"], replies: ["codex", "copilot"] },
    { words: ["cox", "ask", "--provider", "claude,co"], replies: ["claude,codex", "claude,copilot"] },
    { words: ["cox", "compare", "--provider", "claude,co"], replies: ["claude,codex", "claude,copilot"] },
    { words: ["cox", "ask", "--provider", "=", "cl"], replies: ["claude"] },
    { words: ["cox", "ask", "hello", "--effort", "m"], replies: ["medium", "max"] },
    { words: ["cox", "ask", "--permission-mode", "p"], replies: ["plan"] },
    { words: ["cox", "ask", "-m", "x"], replies: [] },
    { words: ["cox", "ask", "wor"], replies: [] },
    { words: ["cox", "doctor", "ge"], replies: ["gemini"] },
    { words: ["cox", "quota", ""], replies: ["clear"] },
    { words: ["cox", "quota", "clear", "cl"], replies: ["claude"] },
    { words: ["cox", "help", "dem"], replies: ["demo"] },
    { words: ["cox", "completion", ""], replies: ["bash", "zsh", "fish"] },
  ])("of $words is $replies", async ({ words, replies }) => {
    expect(await complete("/", ...words)).toEqual(replies);
  });

  test("of files and directories takes names with spaces", async () => {
    using folder = temporaryFolder();
    folder.write("a b.txt", "");
    expect(await complete(folder.path, "cox", "ask", "--file", "a")).toEqual(["a b.txt"]);
    expect(await complete(folder.path, "cox", "ask", "--cwd", "a")).toEqual([]);
  });

  test("knows every option of cox ask --help", async () => {
    const { stdout: help } = await cox(["ask", "--help"]);
    const flags = [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag);
    expect(flags.length).toBeGreaterThan(25);
    expect((await complete("/", "cox", "ask", "--")).toSorted()).toEqual(flags.toSorted());
  });
});

test("zsh runs the function of bash, and fish has a line for each option", async () => {
  const [zsh, fish] = await Promise.all([cox(["completion", "zsh"]), cox(["completion", "fish"])]);
  expect(zsh.stdout).toMatch(/^# .*zsh.*\nautoload -U \+X bashcompinit && bashcompinit\n_cox_words\(\)/);
  expect(fish.stdout).toContain("\ncomplete -c cox -n '__fish_seen_subcommand_from ask' -s p -l provider -x -a 'claude codex ");
  expect(fish.stdout).toContain(
    "\ncomplete -c cox -n __fish_use_subcommand -a 'ask' -d 'ask one question and stream the answer'\n",
  );
});

test("another shell is a usage error that names the known ones", async () => {
  expect(await cox(["completion", "tcsh"])).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: expect.stringContaining("bash, zsh, fish"),
  });
});
