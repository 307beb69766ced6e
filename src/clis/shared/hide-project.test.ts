import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { hideProject, ONLY_HIDDEN } from "./hide-project.ts";

const HIDDEN = { names: [".cli", ".mcp.json"], homes: ["CLI_HOME"], packages: ["the-cli"], afterwards: { TRUSTED: "yes" } };

/** What a program of Node prints that is started in a project, with a home of its own, and whose project is hidden. */
function printsIn(place: string, program: string, env: Readonly<Record<string, string>> = {}, isCli = true): unknown {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "coxswain hidden's ")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const path of [
    "home/.cli/settings",
    "home/.env",
    "work/.cli/settings",
    "work/.mcp.json",
    "work/.env",
    "work/deep/.cli/.env",
    "work/text",
  ])
    write(join(root, path), path);
  write(join(root, "work/.cli/worktree/text"), "work");
  symlinkSync(join(root, "work"), join(root, "home/link"));
  const hidden = hideProject(HIDDEN, { NODE_OPTIONS: "--no-warnings" });
  const path = join(root, "run", hidden.file.name);
  write(path, hidden.file.content);
  write(join(root, "cli/package.json"), '{ "name": "the-cli" }');
  const script = join(root, isCli ? "cli/dist/program.mjs" : "launcher/program.mjs");
  write(
    script,
    `import * as fs from "node:fs"; import { readFile, readdir } from "node:fs/promises"; import { createRequire } from "node:module"; import { execFileSync } from "node:child_process";\nconst root = ${JSON.stringify(root)};\n${program}`,
  );
  const [[name = "", value = ""] = []] = Object.entries(hidden.env);
  const { stdout, stderr } = spawnSync(process.execPath, [script, "a", ONLY_HIDDEN, "b"], {
    cwd: join(root, place),
    env: {
      PATH: process.env["PATH"],
      HOME: join(root, "home"),
      [name]: value.replace(/\0.*?\0/, () => JSON.stringify(path).slice(1, -1)),
      ...env,
    },
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

it("files of a project are not there, by any way to read them, and those of the user are", () => {
  const program = `
    const tries = {
      exists: () => fs.existsSync(".cli"), read: () => fs.readFileSync(".cli/settings", "utf8"), stat: () => fs.statSync(".mcp.json", { throwIfNoEntry: false }) ?? null,
      promise: () => readFile(root + "/work/.cli/settings", "utf8"), list: () => readdir(".cli"), deep: () => readFile("deep/.cli/.env", "utf8"),
      required: () => createRequire(import.meta.url)("fs").readFileSync(Buffer.from("./deep/../.cli/settings"), "utf8"), url: () => fs.readFileSync(new URL("file://" + encodeURI(root) + "/work/.mcp.json"), "utf8"),
      native: () => fs.realpathSync.native(".cli"), link: () => fs.readFileSync(root + "/home/link/.cli/settings", "utf8"), stream: () => new Promise((done, fail) => fs.createReadStream(".mcp.json").on("open", () => done("open")).on("error", fail)),
      text: () => fs.readFileSync("text", "utf8"), own: () => fs.readFileSync(root + "/home/.cli/settings", "utf8"),
    };
    const seen = {};
    for (const [name, look] of Object.entries(tries)) try { seen[name] = await look(); } catch (error) { seen[name] = error.code; }
    console.log(JSON.stringify(seen));`;
  const gone = Object.fromEntries(
    ["read", "promise", "list", "deep", "required", "url", "native", "link", "stream"].map((name) => [name, "ENOENT"]),
  );
  expect(printsIn("work", program)).toEqual({ ...gone, exists: false, stat: null, text: "work/text", own: "home/.cli/settings" });
});

it("an `.env` that is loaded is empty, unless it is the user's, and programs that the CLI starts see everything", () => {
  const program = `console.log(JSON.stringify([fs.readFileSync(".env", "utf8"), fs.readFileSync(".env").length, fs.readFileSync(root + "/home/.env", "utf8"), await readFile(".env", "utf8"),
    process.env.NODE_OPTIONS, process.env.TRUSTED, execFileSync("cat", [".cli/settings"], { encoding: "utf8" })]));`;
  expect(printsIn("work", program)).toEqual(["", 0, "home/.env", "work/.env", "--no-warnings", "yes", "work/.cli/settings"]);
});

it("the CLI's own home may be anywhere, and a working directory below a hidden folder is visible", () => {
  const program = `console.log(JSON.stringify([fs.existsSync(root + "/work/.cli/settings"), fs.readdirSync(".")]));`;
  expect(printsIn("work/.cli/worktree", program)).toEqual([false, ["text"]]);
  expect(printsIn("home", program, { CLI_HOME: "../work" })).toEqual([true, [".cli", ".env", "link"]]);
});

it("the process of the CLI alone loses the argument, the program and the values for later", () => {
  const program = `console.log(JSON.stringify([process.argv.slice(2), process.env.NODE_OPTIONS.startsWith("--import"), process.env.TRUSTED ?? "no", fs.existsSync(".cli")]));`;
  expect(printsIn("work", program)).toEqual([["a", "b"], false, "yes", false]);
  expect(printsIn("work", program, {}, false)).toEqual([["a", ONLY_HIDDEN, "b"], true, "no", false]);
});
