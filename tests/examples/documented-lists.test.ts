import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rehearsal } from "../../src/clis/rehearsal/provider.ts";
import { SCENARIOS } from "../../src/rehearsal/serve.ts";
import { FAILURE_CODES } from "../../src/spec/failure/failure-codes.ts";
import { REQUEST_OPTIONS } from "../../src/spec/provider/cli-data.ts";

/** Warnings of `cox doctor`, which are in docs/health.md. */
const OF_DOCTOR: readonly string[] = ["path-relative", "processes-hidden"];

/** Codes of warnings that are failures if the request says so. */
const WARNING_OR_FAILURE: readonly string[] = ["mcp-server-unavailable"];

const checkout = join(import.meta.dirname, "../..");

it("docs/events.md lists the codes of all warnings that the sources write", () => {
  const files = globSync("src/{agent,ask,attempt,clis,compatibility,dialects,launch,policy,request,run,sessions,warm}/**/*.ts", {
    cwd: checkout,
  }).filter((file) => !file.endsWith(".test.ts"));
  const written = files.flatMap((file) => warningCodes(readFileSync(join(checkout, file), "utf8")));
  expect(new Set(written).size).toBeGreaterThan(10);
  expect(firstColumn("docs/events.md", "A `warning` has one of these codes:")).toEqual([...new Set(written)].toSorted());
});

it("docs/cox.md explains every model of the rehearsal CLI", () => {
  expect(firstColumn("docs/cox.md", "## Rehearsal")).toEqual([...rehearsal.models].toSorted());
  expect([...SCENARIOS.keys()]).toEqual(rehearsal.models);
});

it("docs/add-a-provider.md names every option of a provider", () => {
  const [, listed = ""] = /The options are ([^.]+)\./.exec(read("docs/add-a-provider.md")) ?? [];
  const names = [...listed.replace(/\([^)]*\)/g, "").matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  expect(names).toEqual(REQUEST_OPTIONS);
});

it("the figures of README.md are those of docs/benchmarks.md", () => {
  const benchmarks = read("docs/benchmarks.md");
  const [ofClaude = [], ofCodex = []] = figures(benchmarks, "with its defaults: sent upstream, kB");
  const warm = (cli: string): readonly string[] => {
    const section = benchmarks.split(`\n### ${cli}\n`)[1] ?? "";
    return ["cold", "warm"].map((row) => figures(section, row)[0]?.[0] ?? "");
  };
  const [claude, qwen] = [warm("claude"), warm("qwen")];
  const gone = figures(benchmarks, "… CLI gone after, ms").map(([bare, ours]) => [bare, (Number(ours) / 1000).toFixed(1)]);
  expect(gone).toHaveLength(2);
  expect(new Set(gone.map(String))).toEqual(new Set(["not in 15 s,1.7"]));
  const readme = read("README.md");
  expect(readme).toContain(`| ${ofClaude[0]} kB (Claude Code), ${ofCodex[0]} kB (Codex) | ${ofClaude[1]} kB, ${ofCodex[1]} kB |`);
  expect(readme).toContain(
    `| ${claude[0]} ms (Claude Code), ${qwen[0]} ms (Qwen Code): each call starts a process | ${claude[1]} ms, ${qwen[1]} ms in a process`,
  );
  expect(readme).toContain("| still there after 15 s | gone after 1.7 s;");
});

/** Pages for reading: the rooms, measured tables, the words. */
const READ_ONLY: readonly string[] = ["architecture.md", "benchmarks.md", "glossary.md"];

describe("the pages of docs", () => {
  const pages = globSync("*.md", { cwd: join(checkout, "docs") }).filter((page) => page !== "README.md");

  it("docs/README.md leads to every page", () => {
    const targets = [...read("docs/README.md").matchAll(/\]\(([^)#]+)/g)].map(([, target]) => target);
    expect(pages.length).toBeGreaterThan(30);
    expect(pages.filter((page) => !targets.includes(page))).toEqual([]);
  });

  it("every page begins with something to paste: a block before its first table and its second heading", () => {
    const late = pages.filter((page) => {
      const text = read(`docs/${page}`);
      const block = text.search(/^```\w/m);
      const ends = [text.search(/^\|/m), text.split(/^## /m, 2).join("## ").length].filter((end) => end > 0);
      return block < 0 || ends.some((end) => end < block);
    });
    expect(late.toSorted()).toEqual(READ_ONLY);
  });
});

it("README.md names the required version of Node before its first command", () => {
  const { engines } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  const [beginning] = read("README.md").split("```");
  expect(beginning).toContain(`Node ${String(engines.node).replace(">=", "")} or newer`);
});

/** The codes in a source: `{ type: "warning", code: … }`, code and message alone, or one of two codes. */
function warningCodes(source: string): readonly string[] {
  const objects = source.matchAll(/(?:type: "warning",\s*|\{\s*)code: "([a-z-]+)",\s*message\b/g);
  const chosen = /type: "warning", code, message/.test(source)
    ? source.matchAll(/\? "([a-z]+(?:-[a-z]+)+)" : "([a-z-]+)";/g)
    : [];
  return [...objects, ...chosen].flatMap(([, ...codes]) => codes.filter((code) => code !== undefined && isOfRun(code)));
}

/** Failures have the same shape in the sources. */
function isOfRun(code: string): boolean {
  return (!Object.hasOwn(FAILURE_CODES, code) || WARNING_OR_FAILURE.includes(code)) && !OF_DOCTOR.includes(code);
}

/** The first cells of the table that follows this line, sorted. */
function firstColumn(path: string, line: string): readonly string[] {
  const table =
    read(path)
      .split(`\n${line}\n`)[1]
      ?.match(/(?:^\|.*\n)+/m)?.[0] ?? "";
  return [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = ""]) => name).toSorted();
}

/** The cells behind a name, of each row with it. */
function figures(tables: string, name: string): readonly (readonly string[])[] {
  const rows = tables.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  return rows.filter(([, first]) => first === name).map(([, , ...cells]) => cells);
}

function read(path: string): string {
  return readFileSync(join(checkout, path), "utf8");
}
