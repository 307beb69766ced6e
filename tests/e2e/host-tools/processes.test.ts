import { expect, it } from "vitest";
import type { RunStream } from "../../../src/spec/stream.ts";
import { findRunProcesses } from "../../../src/testing/index.ts";
import { CUT_CALL, OSLO, WEATHER } from "../../support/clis/call-blocks.ts";
import { openCli } from "../../support/clis/open-cli.ts";
import { answers, FOREVER, type Step } from "../../support/clis/plays.ts";
import { writePlays } from "../../support/clis/write-plays.ts";
import { guardiansOf, processesOfRun, processesWith, untilFound, untilGone } from "../../support/processes/process-scan.ts";
import { openTestScope } from "../../support/test-scope.ts";
import { startHost, untilNothingIsLeft } from "../host-process.ts";
import type { CorrectedRunReport } from "../hosts/host-tools-corrected.ts";

const request = { prompt: "What is the weather in Oslo?", tools: [WEATHER] } as const;
const STILL = answers("Still looking.", { after: [FOREVER] });

it("the program of a run with tools has the run id in its marker", async () => {
  const cli = openCli([STILL]);
  await expectProcessWhileSpeaking(cli.run(request), (runId) => runId);
  await cli.untilQuiet();
});

it("the program of the second attempt has the run id and its number in its marker", async () => {
  const cli = openCli([answers(CUT_CALL), STILL]);
  await expectProcessWhileSpeaking(cli.run(request), (runId) => `${runId}+2`);
  await cli.untilQuiet();
});

it("many runs with corrections at once do not mix", async () => {
  const cities = ["Oslo", "Bergen", "Bodø", "Hamar", "Moss"];
  const found = await Promise.all(
    cities.map(async (city) => {
      const cli = openCli([answers(CUT_CALL), answers(OSLO.replace("Oslo", city))]);
      return (await cli.run({ ...request, metadata: { city } }).result()).hostCalls;
    }),
  );
  expect(found.map((calls) => calls?.map(({ args }) => args["city"]))).toEqual(cities.map((city) => [city]));
});

it.each(["SIGKILL", "SIGTERM"] as const)(
  "when the host dies of %s during the second attempt, nothing of either attempt is left",
  async (signal) => {
    const left: Step = { do: "leave-process", ms: 600_000, holdStdout: false };
    const { directory } = openTestScope();
    writePlays(directory, [answers(CUT_CALL, { before: [left] }), [{ do: "ignore-signals" }, left, ...STILL]]);
    const host = startHost<CorrectedRunReport>("host-tools-corrected", { PLAY_FOLDER: directory });
    const { runId } = await host.report;
    await untilFound(() => guardiansOf(runId), 1);
    process.kill(host.pid, signal);
    expect((await host.exit).code).not.toBe(0);
    await untilGone(() => processesWith("PLAY_FOLDER", directory));
    await untilNothingIsLeft(host);
  },
);

/** Expects exactly one program with this marker while the answer streams, and none after the reader has left the loop. */
async function expectProcessWhileSpeaking(stream: RunStream, markerOf: (runId: string) => string): Promise<void> {
  let runId = "";
  let spoke = false;
  for await (const event of stream) {
    if (event.type === "run-start") runId = event.runId;
    if (event.type !== "text-delta") continue;
    spoke = true;
    const marked = (): Promise<readonly number[]> => processesWith("COXSWAIN_RUN", markerOf(runId));
    await untilFound(marked, 1);
    expect(findRunProcesses(runId)).toEqual(await marked());
    break;
  }
  expect(spoke).toBe(true);
  await untilGone(() => processesOfRun(runId));
}
