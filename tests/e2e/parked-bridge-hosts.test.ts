import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { type HostProcess, startHost } from "./host-process.ts";
import type { ParkedReport } from "./hosts/parks-a-call.ts";
import { processesWith, untilGone } from "./process-scan.ts";

it.each(["exit", "throw", "none"])(
  "a host that ends (%s) with a parked call kills its process before it loses its server",
  async (ENDING) => {
    const host = startHost<ParkedReport>("parks-a-call", { ENDING, STUBBORN: "true" });
    expect(await host.report).toEqual({ finish: "tool-calls" });
    await host.exit;
    await untilLeft(host);
    expect(host.note()).toBe("answer\n");
  },
);

it("when the host dies of SIGKILL its guardian kills the process of a parked call, which does not ask its model again", async () => {
  const host = startHost<ParkedReport>("parks-a-call", { ENDING: "wait", STUBBORN: "true" });
  await host.report;
  // The guardian is told of a call that is parked for longer than a moment.
  await sleep(200);
  process.kill(host.pid, "SIGKILL");
  await host.exit;
  await untilLeft(host);
  // The process may have seen that its server is gone.
  expect(host.note()).toMatch(/^answer\n(?:lost\n)?$/);
});

/** Resolves when the process of the call and its files are gone. */
async function untilLeft(host: HostProcess<ParkedReport>): Promise<void> {
  await untilGone(() => processesWith("NOTE_FILE", `${host.directory}/note`));
  await vi.waitFor(() => expect(host.leftovers()).toEqual([]), 5_000);
}
