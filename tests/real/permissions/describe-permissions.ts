import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentRequest, agentTargetOf, DONE, shellCall, shellCalls } from "../../support/real-clis/agent-request.ts";
import { modelRequestsOf } from "../../support/real-clis/model-request.ts";
import type { PermissionRow } from "../../support/real-clis/permission-table.ts";
import type { RealCli } from "../../support/real-clis/real-cli.ts";
import { HELPER_PATTERN, madeIn, plantHelper, SHELL_TRICKS } from "../../support/real-clis/shell-tricks.ts";
import { eventsOf, openRealCli } from "../open-real-cli.ts";

/** Only the helper program may run. */
const HELPER_ONLY = { mode: "dont-ask", tools: ["Bash"], allow: [HELPER_PATTERN, "Bash(file-tools * -- * *)"] } as const;

/** Whether a CLI keeps to the permissions of an agent: judged by files on the disk and by events. */
export function describePermissions(row: PermissionRow, { isSlow = false }: { readonly isSlow?: boolean } = {}): void {
  describe(`the permissions of an agent of real ${row.name}`, () => {
    if (row.commandPatterns === "holds") describeHelper(row);
    else describeRefusal(row);
    if (isSlow || row.denials !== "all") return;
    if (row.commandPatterns === "refused") describeWholeShell(row);
    describeDenial(row);
  });
}

function describeHelper({ name, shell, invalid = [], permissive = {} }: PermissionRow): void {
  it(`${name} runs the program of a pattern, and no trick runs another one or writes a file`, async () => {
    const tricks = Object.entries(SHELL_TRICKS).map(([title, toCommand], index) => ({
      title,
      command: toCommand(`made-${index}`),
    }));
    const cli = await openRealCli(name, shellCalls(name, "file-tools list", ...tricks.map(({ command }) => command)));
    for (const [path, content] of Object.entries(permissive)) plantSettings(cli, path, content);
    const run = await cli.run(agentRequest(cli, { permissions: HELPER_ONLY, env: plantHelper(cli) }), {
      target: agentTargetOf(name),
    });
    expect(madeIn(cli)).toEqual(["used-list"]);
    const titleOf = (input: unknown): string =>
      tricks.find(({ command }) => command === (input as { readonly command: string }).command)?.title ?? "the helper";
    const ran = eventsOf(run, "tool-end").filter(({ isError }) => !isError);
    expect(ran.map(({ name: tool, input }) => [tool, titleOf(input)])).toEqual([[shell, "the helper"]]);
    const denied = run.result.permissionDenials.map(({ input }) => titleOf(input));
    expect(new Set([...denied, ...invalid])).toEqual(new Set(tricks.map(({ title }) => title)));
    expect(run.result).toMatchObject({ text: "Done.", finish: "stop" });
  });
}

function plantSettings({ home, workspace }: RealCli, path: string, content: string): void {
  const place = path.startsWith("~/") ? join(home, path.slice(2)) : join(workspace, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, content);
}

function describeRefusal({ name }: PermissionRow): void {
  it(`a command pattern is refused for ${name} before a process is started`, async () => {
    const cli = await openRealCli(name, shellCalls(name, "file-tools list"));
    const target = agentTargetOf(name);
    const run = await cli.run(agentRequest(cli, { permissions: HELPER_ONLY }), { target });
    expect(run.failure).toMatchObject({ category: "validation", code: "option-unsupported" });
    expect(run.events.map(({ type }) => type)).toEqual(["run-start", "run-end"]);
    expect(cli.api.requests).toEqual([]);
  });
}

/** A CLI that takes no command pattern takes its whole shell. */
export function describeWholeShell({ name, shell }: PermissionRow): void {
  it(`${name} runs a command if its whole shell is allowed`, async () => {
    const cli = await openRealCli(name, shellCalls(name, "touch made-1"));
    const run = await cli.run(agentRequest(cli, { permissions: { mode: "dont-ask", allow: ["Bash"] } }));
    expect(madeIn(cli)).toEqual(["made-1"]);
    expect(run.result).toMatchObject({ text: "Done.", permissionDenials: [], toolCalls: [{ name: shell, isError: false }] });
  });
}

/** A denied command fails a run that asks for it; additional directories are read. */
export function describeDenial({ name, shell, readCall }: PermissionRow): void {
  const reads = readCall === undefined ? "" : "reads an additional directory and ";
  it(`${name} ${reads}fails at a denied command if the request says so, with the answer`, async () => {
    const cli = await openRealCli(name);
    const addDir = join(dirname(cli.workspace), "further");
    mkdirSync(addDir);
    writeFileSync(join(addDir, "notes.txt"), "The words of a further directory.\n");
    const calls = [...(readCall === undefined ? [] : [readCall(join(addDir, "notes.txt"))]), shellCall(name, "touch made-1")];
    cli.api.answerWith([...calls.map((call) => ({ kind: "tool-calls", calls: [call] }) as const), DONE]);
    const run = await cli.run(
      agentRequest(cli, { onPermissionDenied: "error", ...(readCall !== undefined && { addDirs: [addDir] }) }),
    );
    expect(madeIn(cli)).toEqual([]);
    expect(eventsOf(run, "permission-denied")).toMatchObject([{ name: shell }]);
    expect(run.failure).toMatchObject({ category: "permission", code: "tool-denied", partialText: "Done." });
    expect(run.failure?.message).toContain(shell);
    if (readCall !== undefined) expect(modelRequestsOf(cli)[1]?.user.at(-1)).toContain("The words of a further directory.");
  });
}
