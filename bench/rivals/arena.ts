import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { type FakeModelApi, startFakeModelApi } from "../../src/testing/index.ts";
import { built } from "../built.ts";

/** The CLIs on which the contestants are compared. */
export type CliName = "claude" | "codex";

/** The surroundings that all contestants of one CLI share: its binary, a fake API, a home and an empty workspace. */
export type Arena = {
  readonly cli: CliName;
  /** The native program of the CLI. */
  readonly command: string;
  readonly model: string;
  readonly api: FakeModelApi;
  /** A folder for files of the scenarios. */
  readonly folder: string;
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  /** Closes the API and removes the folder. */
  close(): Promise<void>;
};

const BIN = join(import.meta.dirname, "../../.cache/real-clis/node_modules/.bin");

/** The models that the contestants ask. */
export const MODELS: Readonly<Record<CliName, string>> = { claude: "sonnet", codex: "gpt-6.1-sol" };

/** Prepares the surroundings; starts only the fake API, on the loopback interface. */
export async function openArena(cli: CliName): Promise<Arena> {
  const api = await startFakeModelApi(cli === "claude" ? "anthropic-messages" : "openai-responses");
  const folder = mkdtempSync(join(tmpdir(), "coxswain-rivals-"));
  const home = join(folder, "home");
  const workspace = join(folder, "workspace");
  const temporary = join(folder, "tmp");
  for (const path of [home, workspace, temporary, join(home, ".codex")]) mkdirSync(path, { recursive: true });
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  process.once("exit", remove);
  const close = async (): Promise<void> => {
    await api.close();
    process.off("exit", remove);
    remove();
  };
  const env = toEnvironment(api.url, home, temporary);
  return { cli, command: locate(cli), model: MODELS[cli], api, folder, workspace, env, close };
}

function locate(cli: CliName): string {
  const path = built.createClient({ env: { PATH: BIN } }).locate(cli);
  if (path === undefined) throw new Error(`${cli} is not installed in .cache/real-clis`);
  return path;
}

function toEnvironment(apiUrl: string, home: string, temporary: string): Readonly<Record<string, string>> {
  return {
    PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter),
    HOME: home,
    TMPDIR: temporary,
    XDG_STATE_HOME: join(home, "state"),
    LANG: "C.UTF-8",
    // Root may bypass permissions only in a sandbox, and this program runs in one.
    IS_SANDBOX: "1",
    ANTHROPIC_BASE_URL: apiUrl,
    ANTHROPIC_API_KEY: "sk-ant-fake-key-of-the-bench",
    CODEX_HOME: join(home, ".codex"),
    CODEX_API_KEY: "fake-key-of-the-bench",
    // Coxswain sets these itself; the others get them too, so that only the wrapper differs.
    DISABLE_TELEMETRY: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
}
