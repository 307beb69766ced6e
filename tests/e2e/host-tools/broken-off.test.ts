import { expect, it } from "vitest";
import { calling, callingWith, openNativeClient } from "../../support/clis/native-client.ts";

const ANEW = [{ transport: "spawn", warm: false }];

it("an answer that breaks off after a call is repeated, because no call was made", async () => {
  const native = openNativeClient({ processes: 0 }, { retry: { firstDelayMs: 1 } });
  const { result, attempts, events } = await native.run({ prompt: callingWith({ dies: true }, [{ place: "door" }]) });
  expect(attempts).toEqual([...ANEW, ...ANEW]);
  expect(result).toMatchObject({ finish: "tool-calls", hostCalls: [{ args: { place: "door", floor: 1 } }] });
  expect(events.filter(({ type }) => type === "tool-reset")).toHaveLength(1);
});

it("an answer that breaks off after a function has run is not repeated", async () => {
  const native = openNativeClient({ processes: 0 }, { retry: { firstDelayMs: 1 } });
  const { result, attempts } = await native.run(
    { prompt: calling([{ place: "door" }]) },
    { callTool: ({ id }) => process.kill(Number(id.split("_")[1]), "SIGKILL") },
  );
  expect(attempts).toEqual(ANEW);
  expect(result.failure).toBeDefined();
});
