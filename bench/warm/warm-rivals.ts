import type { Host } from "../rivals/host-process.ts";
import type { Reason } from "./series.ts";
import type { Stage } from "./stage.ts";

/** A rival's own way to keep a CLI warm. Some of them can only continue one conversation. */
export type WarmRival = { readonly name: string; readonly contestant: string; readonly continues: boolean };

const ACPX: WarmRival = { name: "acpx, a persistent session", contestant: "warm-acpx", continues: true };

/** The rivals of a CLI. */
export function rivalsOf(cli: string): readonly WarmRival[] {
  if (cli === "claude")
    return [
      { name: "claude-agent-sdk, `startup()`", contestant: "warm-startup", continues: false },
      { name: "claude-agent-sdk, streaming input", contestant: "warm-streaming-input", continues: true },
      ACPX,
    ];
  if (cli === "codex")
    return [{ name: "ai-sdk-provider-codex-cli, app-server", contestant: "warm-app-server", continues: false }, ACPX];
  return [ACPX];
}

/** Starts the host of a rival, or says why it does not start within a minute. */
export async function startRival(stage: Stage, { contestant }: WarmRival): Promise<Host | Reason> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Reason>((resolve) => {
    timer = setTimeout(() => resolve({ reason: "not ready within a minute" }), 60_000);
  });
  const started = stage.startOther(contestant).catch((error: Error) => ({ reason: error.message }));
  const first = await Promise.race([started, late]);
  clearTimeout(timer);
  return first;
}
