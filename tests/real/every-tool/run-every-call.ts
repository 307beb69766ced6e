import { execFileSync } from "node:child_process";
import { type Dirent, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listOf, objectOf, stringOf } from "../../../src/spec/json.ts";
import type { Permissions } from "../../../src/spec/request.ts";
import type { RunResult } from "../../../src/spec/result.ts";
import type { RunContext } from "../../../src/spec/stream.ts";
import type { FakeAnswer, FakeApiRequest, FakeToolCall } from "../../../src/testing/index.ts";
import { agentTargetOf, DONE } from "../../support/real-clis/agent-request.ts";
import { prepareRealCli } from "../../support/real-clis/real-cli.ts";
import { callsOfSubAgents, everyCall } from "./claude-calls.ts";

/** What a run in which the model calls every tool has left. */
export type EveryCallOutcome = {
  readonly result: RunResult;
  /** Files and folders of the workspace, its repository and the home that are new, changed or gone. */
  readonly changed: readonly string[];
  /** The tools that the CLI offers its model, deferred ones too. */
  readonly offered: readonly string[];
};

/** Where Claude Code keeps its records of a run; its memory is no record, because later sessions read it. */
const RECORDS = /^home\/(?:\.claude\/(?!.*\/memory\/.)|\.claude\.json|\.cache\/|\.npm\/|\.local\/)/;

/** Runs an agent in a repository whose model calls every tool, one after the other, also in its sub-agents. */
export async function runEveryCall(
  name: "claude" | "glm",
  permissions: Permissions,
  context: RunContext = {},
): Promise<EveryCallOutcome> {
  await using cli = await prepareRealCli(name, DONE);
  const { workspace, home } = cli;
  plant(workspace, home);
  const calls = everyCall(workspace);
  cli.api.answerWith(answersOf([loadAll(calls), ...calls], callsOfSubAgents(workspace)));
  const before = filesOf(workspace, home);
  const request = { prompt: "Do it.", mode: "agent", cwd: workspace, permissions, timeouts: { backgroundMs: 10_000 } } as const;
  const stream = cli.client.run(agentTargetOf(name), request, { ...context, keepEvents: true });
  const result = await stream.outcome();
  const start = result.events?.find((event) => event.type === "session-start");
  const offered = start?.type === "session-start" ? (start.tools ?? []) : [];
  return { result, changed: changesOf(before, filesOf(workspace, home)), offered };
}

const NOTEBOOK = { cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 };
const FREE_AGENT = "---\nname: free\ndescription: Works alone\npermissionMode: bypassPermissions\n---\nDo it.\n";

/** A repository with a notebook, and an agent of the user that bypasses permissions. */
function plant(workspace: string, home: string): void {
  writeFileSync(join(workspace, "notes.ipynb"), JSON.stringify(NOTEBOOK));
  mkdirSync(join(home, ".claude/agents"), { recursive: true });
  writeFileSync(join(home, ".claude/agents/free.md"), FREE_AGENT);
  const commit = ["-c", "user.name=A", "-c", "user.email=a@example.invalid", "commit", "-qm", "First"];
  for (const words of [["init", "-q"], ["add", "."], commit]) execFileSync("git", words, { cwd: workspace });
}

/** Deferred tools can be called only after they were loaded. */
function loadAll(calls: readonly FakeToolCall[]): FakeToolCall {
  const names = [...new Set(calls.map(({ name }) => name))];
  return { name: "ToolSearch", input: { query: `select:${names.join(",")}`, max_results: names.length } };
}

/** Each conversation goes through its own calls; its requests are counted by the results that they contain. */
function answersOf(main: readonly FakeToolCall[], sub: readonly FakeToolCall[]): (request: FakeApiRequest) => FakeAnswer {
  return ({ body }) => {
    const messages = listOf(objectOf(body)?.["messages"]).map((message) => objectOf(message) ?? {});
    const calls = JSON.stringify(messages[0] ?? "").includes("SUB-AGENT") ? sub : main;
    const results = messages.filter(({ role, content }) => role === "user" && listOf(content).some(isResult)).length;
    const next = calls[results];
    return next === undefined ? DONE : { kind: "tool-calls", calls: [next] };
  };
}

function isResult(block: unknown): boolean {
  return stringOf(objectOf(block as never)?.["type"]) === "tool_result";
}

function filesOf(workspace: string, home: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const walk = (folder: string, shown: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const [path, name] = [join(folder, entry.name), `${shown}/${entry.name}`];
      if (!RECORDS.test(`${name}/`) && !RECORDS.test(name)) files.set(name, contentOf(path, entry));
      if (entry.isDirectory()) walk(path, name);
    }
  };
  walk(workspace, "workspace");
  walk(home, "home");
  return files;
}

function contentOf(path: string, entry: Dirent): string {
  if (entry.isFile()) return `${lstatSync(path).mode} ${readFileSync(path, "latin1")}`;
  return entry.isSymbolicLink() ? readlinkSync(path) : "";
}

function changesOf(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).sort();
}
