import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "../../src/index.ts";
import type { BilledCli, Conversation } from "./conversation.ts";
import { ScriptedAcp } from "./scripted/acp.ts";
import { type ClaudeSessions, type ClaudeVersion, ScriptedClaude } from "./scripted/claude.ts";
import { CodexServer, codexExec } from "./scripted/codex.ts";
import { geminiPrint } from "./scripted/gemini.ts";
import { Ledger } from "./scripted/ledger.ts";
import type { Script, ScriptedMachine, ScriptedProcess } from "./scripted/machine.ts";
import { ScriptedModel } from "./scripted/model.ts";
import { qwenPrint } from "./scripted/qwen.ts";

/** Where one conversation takes place: scripted CLIs that bill into one ledger, and clients for them. */
export type Place = AsyncDisposable & {
  readonly ledger: Ledger;
  readonly model: ScriptedModel;
  /** The directory of agents. */
  readonly workspace: string;
  open(): Client;
};

const RELAY = fileURLToPath(new URL("programs/relays.sh", import.meta.url));

let places = 0;

/** Opens a place; nothing runs before its first client is used. */
export function openPlace(machine: ScriptedMachine, cli: BilledCli, { warmth, numbers }: Conversation): Place {
  const directory = mkdtempSync(join(tmpdir(), "coxswain-bill-"));
  const [bin, folder, workspace] = [join(directory, "bin"), join(directory, "codes"), join(directory, "workspace")];
  for (const made of [bin, folder, workspace]) mkdirSync(made);
  for (const name of ["claude", "codex", "qwen", "gemini"]) symlinkSync(RELAY, join(bin, name));
  const ledger = new Ledger();
  const model = new ScriptedModel(ledger, numbersFrom(numbers));
  const sessions: ClaudeSessions = new Map();
  const version: ClaudeVersion = cli === "claude 2.1.197" ? "2.1.197" : "2.1.326";
  const id = String(++places);
  machine.conversations.set(id, { folder, scripts: (process) => scriptOf(process, { ledger, model, sessions, version }) });
  const env = {
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    HOME: directory,
    XDG_STATE_HOME: join(directory, "state"),
    TMPDIR: directory,
    BILL_PORT: String(machine.port),
    BILL_CONVERSATION: id,
    BILL_FOLDER: folder,
    BILL_VERSION_claude: `${version} (Claude Code)`,
    BILL_VERSION_codex: "codex-cli 0.169.0",
    BILL_VERSION_qwen: "0.24.4",
    BILL_VERSION_gemini: "0.61.0",
    ANTHROPIC_API_KEY: "key",
    CODEX_API_KEY: "key",
    OPENAI_API_KEY: "key",
    OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
    OPENAI_MODEL: "qwen3-coder-plus",
    GEMINI_API_KEY: "key",
  };
  const clients: Client[] = [];
  const open = (): Client => {
    const policies = { retry: { retries: 1, firstDelayMs: 1 }, cooldown: false } as const;
    const client = createClient({ env, policies, ...(warmth === "cold" && { warm: false }) });
    clients.push(client);
    return client;
  };
  const dispose = async (): Promise<void> => {
    await Promise.all(clients.map((client) => client.close()));
    machine.conversations.delete(id);
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  return { ledger, model, workspace, open, [Symbol.asyncDispose]: dispose };
}

type Parts = { ledger: Ledger; model: ScriptedModel; sessions: ClaudeSessions; version: ClaudeVersion };

function scriptOf(process: ScriptedProcess, parts: Parts): Script {
  const { program, args } = process;
  if (program === "claude") return new ScriptedClaude(process, parts, parts.version);
  if (program === "codex") return args.includes("app-server") ? new CodexServer(process, parts) : codexExec(process, parts);
  if (args.includes("--acp")) return new ScriptedAcp(process, parts);
  return program === "qwen" ? qwenPrint(process, parts) : geminiPrint(process, parts);
}

/** The linear congruential generator of Numerical Recipes. */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}
