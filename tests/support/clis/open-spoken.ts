import { claude } from "../../../src/clis/claude/provider.ts";
import { codex } from "../../../src/clis/codex/provider.ts";
import { opencode } from "../../../src/clis/opencode/provider.ts";
import { qwen } from "../../../src/clis/qwen/provider.ts";
import type { Provider } from "../../../src/spec/provider/provider.ts";
import { type Fleet, type FleetOptions, openFleet } from "./open-fleet.ts";
import { playedCli } from "./played-cli.ts";
import type { Play } from "./plays.ts";

const BUILT_IN: Readonly<Record<string, Provider>> = { claude, codex, opencode, qwen };

/** A CLI that reads a line and prints these lines, read by the wire of the real one. */
export function openSpoken(id: string, plays: readonly Play[], options: FleetOptions = {}): Fleet {
  const { wire } = BUILT_IN[id]?.transports.spawn ?? playedCli.transports.spawn;
  const { traits } = BUILT_IN[id] ?? playedCli;
  const spawn = { ...playedCli.transports.spawn, wire };
  const changes = { [id]: { traits, transports: { spawn } } };
  const reading = plays.map((play): Play => [{ do: "read", what: "line" }, ...play]);
  return openFleet({ [id]: reading }, { ...options, changes });
}
