import { expect, it } from "vitest";
import { findRunProcesses } from "../../src/testing/index.ts";
import { openRealCli, untilLeft } from "./open-real-cli.ts";

/** Qwen Code starts no second process for a completion and leaves no file, stopped or not, this many times. */
export function describeQwenProcess(times: number): void {
  it(`a completion of qwen is one process, which leaves no file behind, ${times} of ${times} times`, {
    timeout: 180_000,
  }, async () => {
    const cli = await openRealCli("qwen", { kind: "stall", afterText: "Half an answer" });
    for (let time = 0; time < times; time += 1) {
      const running: number[] = [];
      let runId = "";
      const run = await cli.run(
        { prompt: "Hello" },
        {
          onEvent: (event, stream) => {
            if (event.type === "run-start") runId = event.runId;
            if (event.type !== "text-delta" || running.length > 0) return;
            running.push(...findRunProcesses(runId));
            stream.interrupt();
          },
        },
      );
      await untilLeft(run);
      expect(running).toHaveLength(1);
    }
    cli.api.answerWith({ kind: "text", text: "A whole answer." });
    for (let time = 0; time < times; time += 1) await untilLeft(await cli.run({ prompt: "Hello" }));
  });
}
