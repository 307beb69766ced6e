import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type LaunchPlan, variableOf } from "../../spec/provider/cli-data.ts";
import { startProcess } from "./start-process.ts";

type Printed = Readonly<Record<string, string | undefined>>;

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "coxswain-start-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Starts a program and returns its environment, with the target of the link `login.json` in its home. */
async function environmentOf(plan: Pick<LaunchPlan, "env" | "stripEnv" | "home">, env: Printed): Promise<Printed> {
  const out = join(folder(), "env.json");
  const script = `
    const { readlinkSync, writeFileSync } = require("fs");
    let LOGIN_LINK;
    try { LOGIN_LINK = readlinkSync(process.env.HOME + "/login.json"); } catch {}
    writeFileSync(${JSON.stringify(out)}, JSON.stringify({ ...process.env, LOGIN_LINK }))`;
  const whole: LaunchPlan = {
    provider: "probe",
    command: process.execPath,
    args: ["-e", script],
    cwd: { kind: "given", path: "." },
    stdin: { text: "", close: "now" },
    stdout: "pipe",
    tempFiles: [],
    ...plan,
  };
  const started = await startProcess(whole, "1-a.1", env);
  if (!("child" in started)) throw new Error(started.message);
  await new Promise((resolve) => started.child.once("exit", resolve));
  for (const file of started.files) rmSync(file, { recursive: true, force: true });
  return JSON.parse(readFileSync(out, "utf8"));
}

it("a variable gets the value of another one, and the plan does not contain the value", async () => {
  const env = await environmentOf({ env: { TOKEN: variableOf("KEY") }, stripEnv: [] }, { KEY: "secret", TOKEN: "old" });
  expect(env).toMatchObject({ KEY: "secret", TOKEN: "secret" });
});

it("a variable that refers to a missing one is not set", async () => {
  const env = await environmentOf({ env: { TOKEN: variableOf("KEY") }, stripEnv: ["KEY"] }, { KEY: "secret", TOKEN: "old" });
  expect(env["TOKEN"]).toBeUndefined();
});

it("a pointer names the file in the user's CLI home, while the CLI has a private home", async () => {
  const home = folder();
  mkdirSync(join(home, ".cli"));
  writeFileSync(join(home, ".cli/auth.json"), "mine");
  const plan = { variable: "CLI_HOME", folder: ".cli", links: [], pointers: { CLI_AUTH: "auth.json" }, forRun: true };
  const env = await environmentOf({ env: {}, stripEnv: [], home: plan }, { HOME: home, XDG_STATE_HOME: join(home, "state") });
  expect(env["CLI_AUTH"]).toBe(join(home, ".cli/auth.json"));
  expect(env["CLI_HOME"]).not.toBe(join(home, ".cli"));
  expect(existsSync(join(home, ".cli/auth.json"))).toBe(true);
});

it("a pointer uses the home that the environment names, and a variable of the user takes precedence", async () => {
  const home = folder();
  const plan = { variable: "CLI_HOME", folder: ".cli", links: [], pointers: { CLI_AUTH: "auth.json" }, forRun: true };
  const surroundings = { HOME: home, CLI_HOME: join(home, "other"), XDG_STATE_HOME: join(home, "state") };
  const chosen = await environmentOf({ env: {}, stripEnv: [], home: plan }, surroundings);
  expect(chosen["CLI_AUTH"]).toBe(join(home, "other/auth.json"));
  const set = await environmentOf({ env: {}, stripEnv: [], home: plan }, { ...surroundings, CLI_AUTH: "/set/by/the/user" });
  expect(set["CLI_AUTH"]).toBe("/set/by/the/user");
});

it("an empty variable of the CLI's home names no home: its login is not searched in the working directory", async () => {
  const state = folder();
  const plan = { variable: "HOME", folder: "", links: ["login.json"], forRun: true };
  const env = await environmentOf({ env: {}, stripEnv: [], home: plan }, { HOME: "", XDG_STATE_HOME: state });
  expect(env["LOGIN_LINK"]).toBe(join(homedir(), "login.json"));
});
