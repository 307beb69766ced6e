import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Gives the Codex of this host a home with the settings of Coxswain's launch, for programs that start it without arguments. */
export function moveCodexHome(workspace, codexSettings) {
  const home = join(workspace, `../codex-${process.pid}`);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "config.toml"), `${codexSettings.join("\n")}\n`);
  process.env.CODEX_HOME = home;
}
