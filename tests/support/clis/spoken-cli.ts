import { claude } from "../../../src/clis/claude/provider.ts";
import { codex } from "../../../src/clis/codex/provider.ts";
import { opencode } from "../../../src/clis/opencode/provider.ts";
import { qwen } from "../../../src/clis/qwen/provider.ts";
import type { JsonObject } from "../../../src/spec/json.ts";
import type { Provider } from "../../../src/spec/provider/provider.ts";
import { type Fleet, type FleetOptions, openFleet } from "./open-fleet.ts";
import { type Play, playedCli, type Step } from "./played-cli.ts";

/** Lines of a real CLI. */
export function prints(...lines: readonly JsonObject[]): Play {
  return lines.map((line) => line as Step);
}

const BUILT_IN: Readonly<Record<string, Provider>> = { claude, codex, opencode, qwen };

/** A CLI that prints these lines, read by the wire of the real one. */
export function openSpoken(id: string, plays: readonly Play[], options: FleetOptions = {}): Fleet {
  const { wire } = BUILT_IN[id]?.transports.spawn ?? playedCli.transports.spawn;
  const { traits } = BUILT_IN[id] ?? playedCli;
  const spawn = { ...playedCli.transports.spawn, wire };
  const changes = { [id]: { traits, transports: { spawn } } };
  return openFleet({ [id]: plays }, { ...options, changes, env: { PLAY_READS: "line" } });
}
