import { expect, it } from "vitest";
import { processesWith, untilGone } from "../../support/processes/process-scan.ts";
import { type HostProcess, startHost, untilNothingIsLeft } from "../host-process.ts";
import type { ParkedReport } from "../hosts/parks-a-call.ts";

/** The model was asked once; the process may have seen that its server is gone. */
const ONE_ANSWER = /^answer\n(?:lost\n)?$/;

it.each([
  { ENDING: "exit", RUNNER: "caller" },
  { ENDING: "throw", RUNNER: "caller" },
  { ENDING: "none", RUNNER: "caller" },
  { ENDING: "close and exit", RUNNER: "caller" },
  { ENDING: "exit", RUNNER: "function" },
  { ENDING: "close and exit", RUNNER: "function" },
  { ENDING: "throw", RUNNER: "function" },
])(
  "a host that ends ($ENDING) with a call without a result kills its process before it loses its server (the runner is a $RUNNER)",
  async ({ ENDING, RUNNER }) => {
    const host = startHost<ParkedReport>("parks-a-call", { ENDING, RUNNER, STUBBORN: "true" });
    expect(await host.report).toEqual({ finish: RUNNER === "function" ? "function" : "tool-calls" });
    await host.exit;
    await untilLeft(host);
    // close() ends the server of a running function at once.
    const mayBeLost = ENDING === "close and exit" && RUNNER === "function";
    expect(host.note()).toMatch(mayBeLost ? ONE_ANSWER : /^answer\n$/);
  },
);

it.each(["caller", "function"])(
  "when the host dies of SIGKILL its guardian kills the process of a call without a result, which does not ask its model again (%s)",
  async (RUNNER) => {
    const host = startHost<ParkedReport>("parks-a-call", { ENDING: "wait", RUNNER, STUBBORN: "true" });
    await host.report;
    process.kill(host.pid, "SIGKILL");
    await host.exit;
    await untilLeft(host);
    expect(host.note()).toMatch(ONE_ANSWER);
  },
);

it("a host that exits inside onPermission kills the process that asks, which does not ask its model again", async () => {
  const host = startHost<never>("exits-in-permission", { STUBBORN: "true" });
  await expect(host.report).rejects.toThrow();
  await host.exit;
  await untilLeft(host);
  expect(host.note()).toBe("question\n");
});

/** Resolves when the process of the call and its files are gone. */
async function untilLeft(host: HostProcess<unknown>): Promise<void> {
  await untilGone(() => processesWith("NOTE_FILE", `${host.directory}/note`));
  await untilNothingIsLeft(host);
}
