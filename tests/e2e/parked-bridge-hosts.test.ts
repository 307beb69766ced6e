import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { type HostProcess, startHost } from "./host-process.ts";
import type { ParkedReport } from "./hosts/parks-a-call.ts";
import { processesWith, untilGone } from "./process-scan.ts";

it.each([
  { ENDING: "exit", RUNNER: "caller" },
  { ENDING: "throw", RUNNER: "caller" },
  { ENDING: "none", RUNNER: "caller" },
  { ENDING: "close and exit", RUNNER: "caller" },
  { ENDING: "exit", RUNNER: "function" },
  { ENDING: "throw", RUNNER: "function" },
])(
  "a host that ends ($ENDING) with a call without a result kills its process before it loses its server (the runner is a $RUNNER)",
  async ({ ENDING, RUNNER }) => {
    const host = startHost<ParkedReport>("parks-a-call", { ENDING, RUNNER, STUBBORN: "true" });
    expect(await host.report).toEqual({ finish: RUNNER === "function" ? "function" : "tool-calls" });
    await host.exit;
    await untilLeft(host);
    expect(host.note()).toBe("answer\n");
  },
);

it.each(["caller", "function"])(
  "when the host dies of SIGKILL its guardian kills the process of a call without a result, which does not ask its model again (%s)",
  async (RUNNER) => {
    const host = startHost<ParkedReport>("parks-a-call", { ENDING: "wait", RUNNER, STUBBORN: "true" });
    await host.report;
    // The guardian is told of a process that waits for longer than a moment.
    await sleep(200);
    process.kill(host.pid, "SIGKILL");
    await host.exit;
    await untilLeft(host);
    // The process may have seen that its server is gone.
    expect(host.note()).toMatch(/^answer\n(?:lost\n)?$/);
  },
);

/** Resolves when the process of the call and its files are gone. */
async function untilLeft(host: HostProcess<ParkedReport>): Promise<void> {
  await untilGone(() => processesWith("NOTE_FILE", `${host.directory}/note`));
  await vi.waitFor(() => expect(host.leftovers()).toEqual([]), 5_000);
}
