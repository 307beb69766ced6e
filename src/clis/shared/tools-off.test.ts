import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { TOOLS_OFF } from "./role-launch.ts";

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "coxswain-tools-off-"));
  for (const folder of ["home", "work", "cli/node_modules/helper", "cli/dist"])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "secret.txt"), "SECRET");
  writeFileSync(join(root, "home/settings.json"), "SETTINGS");
  writeFileSync(join(root, "cli/node_modules/helper/index.js"), "export const help = 'HELPED';\n");
  writeFileSync(join(root, "cli/node_modules/helper/package.json"), '{"type":"module","main":"index.js"}');
  writeFileSync(join(root, TOOLS_OFF.name), TOOLS_OFF.content);
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
});

/** The output of a program that runs this code with the script loaded. */
function run(body: string): string {
  const program = join(root, "cli/dist/index.mjs");
  writeFileSync(program, `const root = ${JSON.stringify(root)};\n${body}`);
  const env = {
    PATH: process.env["PATH"],
    HOME: join(root, "home"),
    NODE_OPTIONS: `--require "${join(root, TOOLS_OFF.name)}"`,
  };
  const { stdout, stderr } = spawnSync(process.execPath, [program], { cwd: join(root, "work"), env, encoding: "utf8" });
  return stdout + stderr;
}

it.each([
  ["a shell", 'import { execSync } from "node:child_process"; execSync("touch " + root + "/made");'],
  ["a program", 'import { spawn } from "child_process"; spawn("touch", [root + "/made"]);'],
  ["another process of Node", 'import child from "child_process"; child.fork(root + "/x.js");'],
  [
    "reading a file with a promise",
    'import { readFile } from "fs/promises"; console.log(String(await readFile(root + "/secret.txt")));',
  ],
  [
    "reading a file with a callback",
    'import fs from "fs"; fs.readFile(root + "/secret.txt", (error, bytes) => console.log(String(bytes)));',
  ],
  ["reading a file at once", 'import { readFileSync } from "node:fs"; console.log(String(readFileSync(root + "/secret.txt")));'],
  ["reading a stream", 'import fs from "fs"; fs.createReadStream(root + "/secret.txt").pipe(process.stdout);'],
  [
    "reading a file by address",
    'import fs from "fs"; console.log(String(fs.readFileSync(new URL("file://" + root + "/secret.txt"))));',
  ],
  [
    "reading its settings with a promise",
    'import fs from "fs"; console.log(String(await fs.promises.readFile(root + "/home/settings.json")));',
  ],
  ["writing a file", 'import fs from "fs"; fs.writeFileSync(root + "/made", "x");'],
  ["writing a file with a promise", 'import { writeFile } from "fs/promises"; await writeFile(root + "/made", "x");'],
  ["listing a directory", 'import { readdirSync } from "fs"; console.log(readdirSync(root).join());'],
])("%s ends in an error", (_what, body) => {
  const printed = run(body);
  expect(printed).toContain("The tools of this CLI are switched off.");
  expect(printed).not.toMatch(/^(?:SECRET|SETTINGS)$|secret\.txt,/m);
  expect(existsSync(join(root, "made"))).toBe(false);
});

it("the program still loads its own code and reads and writes its settings", () => {
  const body = [
    'import fs from "fs";',
    'import { help } from "helper";',
    'const settings = String(fs.readFileSync(root + "/home/settings.json"));',
    'fs.writeFileSync("own.json", "{}");',
    'console.log(help, settings, fs.existsSync("own.json"), (await import("helper")).help);',
  ].join("\n");
  expect(run(body).trim()).toBe("HELPED SETTINGS true HELPED");
});
