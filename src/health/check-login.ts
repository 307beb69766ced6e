import { existsSync } from "node:fs";
import { loginFiles } from "../launch/find-cli.ts";
import { endedLogin, needsNoLogin } from "../launch/settle-cli.ts";
import type { FoundBinary } from "../process/child/find-program.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import type { HealthWarning, LoginReport } from "../spec/health.ts";
import { readVariable } from "../spec/provider/cli-data.ts";
import type { Provider } from "../spec/provider/provider.ts";
import { fixBy, type LoginStatus, type ProgramSign } from "../spec/provider/provider-facts.ts";
import { askProgram, type ProgramOutput } from "./ask-program.ts";
import { type Check, timeoutOf } from "./validate-environment.ts";

export const LOGIN_UNKNOWN: LoginReport = { state: "unknown", keys: [] };

/** Checks the login by the CLI's own command, its login files and its variables. Reads no secret and makes no model request. */
export async function checkLogin(check: Check, found: FoundBinary): Promise<LoginReport> {
  const { host, provider } = check;
  const { loginStatus: status = {} } = provider;
  if (status === "not-needed") return { state: "not-needed", keys: [] };
  const known = new Set([...provider.env.apiKeys, ...(status.keysFirst ?? [])]);
  const keys = [...known].filter((name) => Boolean(readVariable(host.env, name)));
  if (needsNoLogin(provider, check.target, host.env)) return { state: "not-needed", keys };
  const own = (await askCommand(check, found, status)) ?? lookForFiles(check);
  if (own?.state === "logged-in") return { ...own, keys };
  const isNamed = (status.env ?? provider.env.apiKeys).some((name) => Boolean(readVariable(host.env, name)));
  if (isNamed) return { state: "logged-in", by: "environment", keys };
  return own === undefined
    ? { ...LOGIN_UNKNOWN, state: status.isComplete === true ? "logged-out" : "unknown" }
    : { ...own, keys };
}

type OwnLogin = Pick<LoginReport, "state" | "by">;

async function askCommand(check: Check, found: FoundBinary, { command }: LoginStatus): Promise<OwnLogin | undefined> {
  if (command === undefined) return undefined;
  const { host, provider, target } = check;
  const { args, loggedIn, loggedOut } = command;
  const timeoutMs = timeoutOf(check.options);
  const output = await askProgram(provider, found, host, { args, timeoutMs, target, inOwnHome: true, withoutKeys: true });
  if (!("stdout" in output) || output.hasTimedOut) return undefined;
  if (holds(loggedIn, output)) return { state: "logged-in", by: "command" };
  return holds(loggedOut, output) ? { state: "logged-out", by: "command" } : undefined;
}

function holds({ exitCode, text }: ProgramSign, output: ProgramOutput): boolean {
  if (exitCode !== undefined && exitCode !== output.exitCode) return false;
  return text === undefined || text.test(output.stdout) || text.test(output.stderr);
}

function lookForFiles({ host: { env }, provider, target }: Check): OwnLogin | undefined {
  const isThere = loginFiles(provider, env, target.profile).some((path) => existsSync(path));
  return isThere ? { state: "logged-in", by: "file" } : undefined;
}

export function loggedOutFailure(provider: Provider): Failure {
  const { label, login } = provider;
  const { apiKeys } = provider.env;
  const [key] = apiKeys;
  const hint = login === undefined ? `Set ${apiKeys.join(" or ")}.` : "Log in once; the CLI stores the login.";
  return createFailure("not-logged-in", `${label} is not logged in.`, {
    ...(login === undefined && key === undefined ? {} : { hint }),
    ...fixBy(provider, login ?? (key === undefined ? undefined : `export ${key}=…`)),
  });
}

/** The warning about an API key variable that takes precedence over a login. */
export function strayKeyWarning(provider: Provider, login: LoginReport): HealthWarning | undefined {
  const { loginStatus, label } = provider;
  const first = loginStatus === undefined || loginStatus === "not-needed" ? [] : (loginStatus.keysFirst ?? []);
  const stray = login.keys.filter((name) => first.includes(name));
  if (stray.length === 0 || login.by === "environment") return undefined;
  const names = stray.join(" and ");
  return {
    code: "api-key-first",
    message: `${names} ${stray.length === 1 ? "is" : "are"} set: ${label} uses that key instead of your login.`,
    hint: `Requests are billed to the account of the key. Unset it, or use auth "subscription".`,
    fixCommand: `unset ${stray.join(" ")}`,
  };
}

/** The warning about a login of a kind that the vendor has ended. */
export function endedLoginWarning({ host, provider, target }: Check): HealthWarning | undefined {
  const ended = endedLogin(provider, target, host.env);
  return ended === undefined ? undefined : { code: "login-ended", message: ended.message, hint: ended.hint };
}
