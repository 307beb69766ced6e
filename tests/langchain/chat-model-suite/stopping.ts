import { describe, expect, it, vi } from "vitest";
import { untilGone } from "../../support/processes/process-scan.ts";
import { createExampleTools } from "./example-tools.ts";
import { type OpenModel, QUESTION, quoting, type Subject } from "./subject.ts";

/** The error name that the platform uses. */
const ABORTED = { name: "AbortError" };

/** Abort before and during a call, and every other way to stop early. */
export function describeStopping(subject: Subject): void {
  const { name } = subject;
  describe(`stopping a chat model on ${name}`, () => {
    it(`a call on ${name} whose signal is aborted already starts nothing`, async () => {
      const { model, told, running } = await subject.open([quoting(QUESTION)]);
      const signal = AbortSignal.abort();
      await expect(model.invoke(QUESTION, { signal })).rejects.toMatchObject(ABORTED);
      await expect(drain(model.stream(QUESTION, { signal }))).rejects.toThrow();
      expect(told()).toEqual([]);
      expect(await running()).toEqual([]);
    });

    it(`an invoke on ${name} that is aborted rejects as aborted, and its process ends`, async () => {
      const opened = await subject.open([{ kind: "stall" }]);
      const controller = new AbortController();
      const answer = opened.model.invoke(QUESTION, { signal: controller.signal }).catch((error: unknown) => error);
      await untilAsked(opened);
      controller.abort();
      expect(await answer).toMatchObject(ABORTED);
      await untilGone(opened.running);
    });

    it(`a stream on ${name} that is aborted ends with an error, and its process ends`, async () => {
      const opened = await subject.open([{ kind: "stall" }]);
      const controller = new AbortController();
      const drained = drain(opened.model.stream(QUESTION, { signal: controller.signal })).catch((error: unknown) => error);
      await untilAsked(opened);
      controller.abort();
      expect(await drained).toBeInstanceOf(Error);
      await untilGone(opened.running);
    });

    it(`a call with bound tools on ${name} that runs out of LangChain's time rejects, and its process ends`, async () => {
      const opened = await subject.open([{ kind: "stall" }]);
      const bound = opened.model.bindTools([createExampleTools().weather]);
      await expect(bound.invoke(QUESTION, { timeout: 1_500 })).rejects.toThrow();
      await untilGone(opened.running);
    });
  });
}

/** Leaving a loop over a stream early; for CLIs that stream while the model streams. */
export function describeLeavingStreams(subject: Subject): void {
  it(`leaving the loop over a stream of ${subject.name} ends its process`, async () => {
    const opened = await subject.open([{ kind: "stall" }]);
    let text = "";
    for await (const chunk of await opened.model.stream(QUESTION)) {
      text += chunk.text;
      if (text !== "") break;
    }
    expect(text).not.toBe("");
    await untilGone(opened.running);
  });
}

async function untilAsked({ told }: OpenModel): Promise<void> {
  await vi.waitFor(() => expect(told()).toHaveLength(1), { timeout: 20_000, interval: 20 });
}

async function drain(stream: Promise<AsyncIterable<unknown>>): Promise<void> {
  for await (const _ of await stream);
}
