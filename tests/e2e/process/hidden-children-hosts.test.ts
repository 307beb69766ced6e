import { expect, it } from "vitest";
import { canMountDisk, NO_PROC } from "../../support/processes/on-disk.ts";
import { processesIn, untilGone } from "../../support/processes/process-scan.ts";
import { startHost } from "../host-process.ts";
import type { HeldRunReport } from "../hosts/holds-a-run.ts";
import type { AnswerReport } from "../hosts/one-answer.ts";
import { expectNothingIn, inRounds, ROUNDS_TIMEOUT_MS, WAYS } from "./hidden-children.ts";

const timeout = ROUNDS_TIMEOUT_MS;

it.each(WAYS)("%s: nothing is left when the host is killed", { timeout }, (how) =>
  inRounds(async () => {
    const host = startHost<HeldRunReport>("holds-a-run", { PROGRAM: "hides-children", HOW: how });
    await host.report;
    process.kill(host.pid, "SIGKILL");
    await host.exit;
    await untilGone(() => processesIn(host.directory));
    await expectNothingIn(host.directory);
  }),
);

it("without /proc the group of the program is ended when the host is killed", { timeout }, () =>
  inRounds(async () => {
    if (!canMountDisk()) return;
    const host = startHost<HeldRunReport>("holds-a-run", { PROGRAM: "hides-children", HOW: "chain" }, NO_PROC);
    await host.report;
    process.kill(host.pid, "SIGKILL");
    await host.exit;
    await untilGone(() => processesIn(host.directory));
    await expectNothingIn(host.directory);
  }),
);

it("without /proc the group of the program is ended after an answer", { timeout }, () =>
  inRounds(async () => {
    if (!canMountDisk()) return;
    const env = { PROGRAM: "hides-children", HOW: "orphan", ANSWER: "1" };
    const host = startHost<AnswerReport>("one-answer", env, NO_PROC);
    await host.report;
    expect(await host.exit).toEqual({ code: 0, signal: null });
    await untilGone(() => processesIn(host.directory));
  }),
);
