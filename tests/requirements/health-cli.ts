import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { claude } from "../../src/clis/claude/provider.ts";
import { type Client, createClient } from "../../src/index.ts";
import type { Provider } from "../../src/spec/provider/provider.ts";
import { type MachineFolders, makeMachine } from "../support/clis/write-program.ts";
import { openTestScope } from "../support/test-scope.ts";

/** A simulated machine and a client on it. */
export type Machine = MachineFolders & {
  readonly client: Client;
  /** Writes a file below the home. */
  write(name: string, content?: string): string;
};

/** Opens a machine with these providers; no program is installed on it. */
export function openMachine(providers: readonly Provider[], env: Readonly<Record<string, string>> = {}): Machine {
  const { directory, env: outer } = openTestScope();
  const machine = makeMachine(directory);
  const base = Object.fromEntries(
    Object.entries(outer).filter(([name]) => !name.includes("API_KEY") && !name.startsWith("CLAUDE")),
  );
  const client = createClient({ providers, env: { ...base, HOME: machine.home, PATH: machine.searchPath, ...env } });
  onTestFinished(() => client.close());
  return {
    ...machine,
    client,
    write: (name, content = "") => {
      const path = join(machine.home, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
  };
}

/** A provider with Claude's dialect, under a name that no real machine has. */
export const parrot: Provider = {
  ...claude,
  id: "parrot",
  aliases: [],
  label: "Parrot",
  binary: { names: ["parrot-cli"] },
  install: "npm install -g parrot-cli",
  login: "parrot-cli login",
  versionsChecked: { oldest: "1.0.0", newest: "1.2.0" },
};

/** A program that prints its version and its login state. */
export function parrotScript(version: string, loggedIn: boolean): string {
  const answer = JSON.stringify({ type: "result", subtype: "success", is_error: false, result: "ready", session_id: "x" });
  return `case "$1" in
--version) echo "${version}" ;;
auth) echo '{ "loggedIn": ${loggedIn} }'; env > "$0.env" ;;
*) cat > /dev/null & echo '${answer}' ;;
esac`;
}
