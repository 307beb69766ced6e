import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished, vi } from "vitest";
import { type LaunchPlan, pathOf, toJsonWithPaths } from "../../spec/provider/cli-data.ts";
import { startProcess } from "./start-process.ts";

const SYSTEM = { name: "system.md", content: "Be brief.\n" };
const TOOLS = { name: "tools.json", content: "[]" };

/** Prints its arguments and the variables that begin with CASE_, each with the content of the file that it names. */
const REPORT = `
  const { readFileSync, readlinkSync, statSync } = require("node:fs");
  const { tmpdir } = require("node:os");
  const read = (path) => (statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, "utf8") : "nothing");
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("CASE_")));
  const { HOME: home, TMPDIR, TMP, TEMP } = process.env;
  const places = [...new Set([tmpdir(), TMPDIR, TMP, TEMP])];
  const [temporary = ""] = places;
  const modeOf = (path) => (statSync(path).mode & 0o777).toString(8);
  const compiled = () => readlinkSync(temporary + "/node-compile-cache");
  const own = places.length === 1 ? { path: temporary, mode: modeOf(temporary), compiled: compiled() } : undefined;
  const mask = process.umask().toString(8);
  console.log(JSON.stringify({ args: process.argv.slice(1), env, home, read: Object.values(env).map(read), own, mask }));
`;

type Report = {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  readonly read: readonly string[];
  /** Its temporary directory, if all variables name the same. */
  readonly own?: { readonly path: string; readonly mode: string; readonly compiled: string };
  readonly mask: string;
};

it("a variable or an argument may contain the path of a temporary file, alone or in other text", async () => {
  const { report, files } = await start({
    args: [pathOf(SYSTEM), `a=${pathOf(SYSTEM)},b=${pathOf(TOOLS)},c=${pathOf(SYSTEM)}`],
    env: { CASE_SYSTEM: pathOf(SYSTEM), CASE_TOOLS: pathOf(TOOLS), CASE_BOTH: `${pathOf(TOOLS)}:${pathOf(SYSTEM)}` },
    tempFiles: [SYSTEM, TOOLS],
  });
  const [system, tools] = [SYSTEM, TOOLS].map(({ name }) => join(files[0] ?? "", "files", name));
  expect(report.args).toEqual([system, `a=${system},b=${tools},c=${system}`]);
  expect(report.env).toEqual({ CASE_SYSTEM: system, CASE_TOOLS: tools, CASE_BOTH: `${tools}:${system}` });
  expect(report.read).toEqual(expect.arrayContaining([SYSTEM.content, TOOLS.content]));
});

it("JSON in a variable may contain the path, beside any text of a user", async () => {
  const texts = [
    "\\u0000system.md\\u0000",
    "\\",
    'quotes " and \\" \\\\',
    "é\u2028\n",
    "u0000",
    pathOf(SYSTEM),
    `\\${pathOf(SYSTEM)}\\`,
  ];
  const { report, files } = await start({ env: { CASE_JSON: toJsonWithPaths({ texts }) }, tempFiles: [SYSTEM] });
  const path = join(files[0] ?? "", "files", SYSTEM.name);
  expect(JSON.parse(report.env["CASE_JSON"] ?? "")).toEqual({ texts: [...texts.slice(0, -2), path, `\\${path}\\`] });
});

it("a process has its own temporary directory, in which only the compiled code of Node outlives it", async () => {
  const { report, files, directory } = await start({});
  expect(report.own).toEqual({
    path: join(files[0] ?? "", "tmp"),
    mode: "700",
    compiled: expect.stringContaining(join(directory, "state/coxswain/compiled")),
  });
  expect(files).toHaveLength(1);
});

it("a variable for the temporary files of one program names that directory too", async () => {
  const { report } = await start({ env: { CASE_TMPDIR: "/elsewhere" } });
  expect(report.env).toEqual({ CASE_TMPDIR: report.own?.path });
});

it("the temporary directory of a request is where the process has its own", async () => {
  const other = mkdtempSync(join(tmpdir(), "cox-other-"));
  onTestFinished(() => rmSync(other, { recursive: true, force: true }));
  const { report } = await start({ env: { TMPDIR: other } });
  expect(report.own?.path.startsWith(`${other}/cox-`)).toBe(true);
});

it("a program of the user has the temporary directory and the umask of the host", async () => {
  const { report, files } = await start({ temporary: "inherited", umask: "inherited" });
  expect({ files, own: report.own, mask: report.mask }).toEqual({ files: [], own: undefined, mask: process.umask().toString(8) });
});

it("the files of a process are private, or have the access that the user chose", async () => {
  const before = process.umask(0o027);
  onTestFinished(() => void process.umask(before));
  expect((await start({})).report.mask).toBe("77");
  expect((await start({ umask: "inherited" })).report.mask).toBe("27");
});

it("text that only looks like a placeholder is not changed", async () => {
  const words = "\\u0000system.md\\u0000 json:system.md system.md $& $1";
  const { report } = await start({ args: [words], env: { CASE_WORDS: words }, tempFiles: [SYSTEM] });
  expect(report).toMatchObject({ args: [words], env: { CASE_WORDS: words } });
});

it("a private home has links to the login and our files, and HOME points to it", async () => {
  const { report, directory } = await start({
    home: {
      variable: "CASE_HOME",
      folder: ".cli",
      links: ["login.json"],
      files: [{ path: "deep/settings.json", content: "{}" }],
    },
  });
  expect(report.home).toBe(report.env["CASE_HOME"]);
  expect(report.home.startsWith(join(directory, "state"))).toBe(true);
  expect(readFileSync(join(report.home, "deep", "settings.json"), "utf8")).toBe("{}");
});

it("a private home may leave HOME unchanged", async () => {
  const { report, directory } = await start({ home: { variable: "CASE_HOME", folder: ".cli", links: [], keepsUserHome: true } });
  expect(report.home).toBe(directory);
  expect(report.env["CASE_HOME"]).toContain(join(directory, "state"));
});

it("a private home that cannot be created is a failure, and no file of the run is left", () => {
  const home = { variable: "CASE_HOME", folder: ".cli", links: [], files: [{ path: "../out", content: "" }] };
  const { plan, env, temporary } = prepare({ home, tempFiles: [SYSTEM], stdout: "file" });
  expect(startProcess(plan, "host.1", env)).toMatchObject({ code: "state-unusable", message: expect.stringContaining("../out") });
  expect(readdirSync(temporary)).toEqual([]);
});

it("a program that cannot be started leaves no file behind", async () => {
  const { plan, env, temporary } = prepare({ command: "/no/such/program", tempFiles: [SYSTEM], stdout: "file" });
  expect(await startProcess(plan, "host.1", env)).toMatchObject({ code: "cli-missing" });
  expect(readdirSync(temporary)).toEqual([]);
});

type Prepared = {
  readonly plan: LaunchPlan;
  readonly env: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly temporary: string;
};

function prepare(parts: Partial<LaunchPlan>): Prepared {
  const directory = mkdtempSync(join(tmpdir(), "coxswain-start-process-"));
  const temporary = join(directory, "temporary");
  mkdirSync(temporary);
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(directory, { recursive: true, force: true });
  });
  const plan: LaunchPlan = {
    provider: "cli",
    command: process.execPath,
    env: {},
    stripEnv: [],
    cwd: { kind: "private" },
    stdin: { text: "", close: "now" },
    stdout: "pipe",
    tempFiles: [],
    ...parts,
    args: ["-e", REPORT, "--", ...(parts.args ?? [])],
  };
  return { plan, env: { HOME: directory, XDG_STATE_HOME: join(directory, "state") }, directory, temporary };
}

async function start(parts: Partial<LaunchPlan>): Promise<{ report: Report; files: readonly string[]; directory: string }> {
  const { plan, env, directory } = prepare(parts);
  const started = await startProcess(plan, "host.1", env);
  if (!("child" in started)) throw new Error(started.message);
  const { child, files } = started;
  child.stdin.end();
  if (child.stdout === null) throw new Error("no pipe");
  return { report: JSON.parse(await text(child.stdout)), files, directory };
}
