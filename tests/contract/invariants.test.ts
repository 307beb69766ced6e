import { describe, expect, test } from "vitest";
import { collect } from "../../src/run/collect.ts";
import type { RunEvent } from "../../src/spec/wire/events.ts";
import { answerReaders } from "../support/recordings/declared-answers/index.ts";
import { readVoidMessages } from "../support/recordings/declared-answers/void-messages.ts";
import { type RecordedCliCase, recordedCliCases, recordedClis, runsOf } from "../support/recordings/recorded-clis.ts";

/** The CLI that prints a complete message again after a cut, so that the first one must be reset. */
const repeatingCli = "codex";

const declaredCases = recordedCliCases.flatMap(({ cli, provider, name, recording }) => {
  const answers = answerReaders[cli]?.(recording) ?? [];
  return answers.length === 0 ? [] : [{ cli, provider, name, recording, answers }];
});

describe("rules for every recording", () => {
  test.for(recordedCliCases)(
    "$cli $name begins each run with its only run-start and ends it with its only run-end",
    ({ provider, recording }) => {
      const runs = runsOf({ provider, recording });
      expect(runs.length).toBeGreaterThan(0);
      for (const events of runs) {
        expect(events[0]?.type).toBe("run-start");
        expect(events.at(-1)?.type).toBe("run-end");
        expect(events.filter(({ type }) => type === "run-start" || type === "run-end")).toHaveLength(2);
      }
    },
  );

  test.for(recordedCliCases)(
    "$cli $name numbers its events from zero and names its session at most once",
    ({ provider, recording }) => {
      for (const events of runsOf({ provider, recording })) {
        expect(events.map(({ seq }) => seq)).toStrictEqual(events.map((_, index) => index));
        expect(events.filter(({ type }) => type === "session-start").length).toBeLessThanOrEqual(1);
      }
    },
  );

  test.for(recordedCliCases)("$cli $name ends every tool exactly once, after it began", ({ provider, recording }) => {
    for (const events of runsOf({ provider, recording })) expectPairedTools(events);
  });

  test.for(recordedCliCases)("$cli $name gives no empty piece and no piece of a message that has ended", (recordedCase) => {
    const { provider, recording } = recordedCase;
    for (const events of runsOf({ provider, recording })) expectSoundMessages(events, recordedCase);
  });

  test.for(recordedCliCases)(
    "$cli $name lets only text of sub-agents name a parent tool that did not begin",
    ({ provider, recording }) => {
      for (const events of runsOf({ provider, recording })) expectKnownParents(events);
    },
  );

  test.for(recordedCliCases)("$cli $name gives parts of the usage that fit into its totals", ({ provider, recording }) => {
    for (const { usage } of runsOf({ provider, recording }).map((events) => collect(events))) {
      if (usage === undefined) continue;
      const { inputTokens, outputTokens, totalTokens } = usage;
      expect((usage.cacheReadTokens ?? 0) + (usage.cacheWriteTokens ?? 0)).toBeLessThanOrEqual(inputTokens ?? 0);
      expect(usage.reasoningTokens ?? 0).toBeLessThanOrEqual(outputTokens ?? 0);
      const areBothKnown = inputTokens !== undefined && outputTokens !== undefined;
      expect(totalTokens).toBe(areBothKnown ? inputTokens + outputTokens : undefined);
    }
  });

  test.for(recordedCliCases)("$cli $name has no answer text if it failed, and a matching end", ({ provider, recording }) => {
    for (const { text, finish, failure } of runsOf({ provider, recording }).map((events) => collect(events))) {
      if (failure === undefined) {
        expect(["stop", "length", "content-filter", "tool-calls"]).toContain(finish);
      } else {
        expect(text).toBe("");
        expect(finish).toBe(
          failure.category === "cancelled" ? "cancelled" : failure.code === "output-truncated" ? "length" : "error",
        );
      }
    }
  });
});

describe("the answer that the CLI itself declares", () => {
  test.for(recordedClis.filter(({ cli }) => answerReaders[cli] !== undefined))(
    "most recordings of $cli declare an answer or its lack",
    ({ cli }) => {
      const all = recordedCliCases.filter((recorded) => recorded.cli === cli);
      const declared = declaredCases.filter((recorded) => recorded.cli === cli);
      expect(declared.length).toBeGreaterThan(all.length / 2);
    },
  );

  test.for(declaredCases)("$cli $name gives the text that the CLI declares as its answer", ({ provider, recording, answers }) => {
    const texts = runsOf({ provider, recording }).map((events) => collect(events).text);
    expect(texts.slice(0, answers.length)).toStrictEqual(answers);
    expect(texts.slice(answers.length).join("")).toBe("");
  });
});

function expectPairedTools(events: readonly RunEvent[]): void {
  const open = new Set<string>();
  const begun = new Set<string>();
  for (const event of events) {
    if (event.type === "tool-start") {
      expect(begun, `${event.id} begins once`).not.toContain(event.id);
      begun.add(event.id);
      open.add(event.id);
    }
    if (event.type === "tool-input-delta" || event.type === "tool-call" || event.type === "tool-output-delta")
      expect(open).toContain(event.id);
    if (event.type === "tool-end" || event.type === "tool-reset")
      expect(open.delete(event.id), `${event.id} ends once, after its beginning`).toBe(true);
  }
  expect([...open]).toStrictEqual([]);
}

function expectSoundMessages(events: readonly RunEvent[], { cli, recording }: RecordedCliCase): void {
  const voidIds = readVoidMessages(recording);
  const states = new Map<string, "begun" | "complete" | "void">();
  for (const [index, event] of events.entries()) {
    if (event.type === "reasoning-delta") expect(event.text).not.toBe("");
    if (event.type === "text-delta") {
      expect(event.text).not.toBe("");
      expect([undefined, "begun"], `state of ${event.messageId}`).toContain(states.get(event.messageId));
      states.set(event.messageId, "begun");
    }
    if (event.type === "text-end" || event.type === "text-reset") {
      const isReset = event.type === "text-reset" && states.get(event.messageId) === "complete";
      const isDeclaredVoid = isReset && voidIds.has(event.messageId.replace(/:\d+$/, ""));
      if (isReset && cli === repeatingCli)
        expect(nextText(events.slice(index)), `what follows ${event.messageId}`).toBe(textOf(events, event.messageId));
      else if (!isDeclaredVoid) expect(states.get(event.messageId), `state of ${event.messageId}`).toBe("begun");
      states.set(event.messageId, event.type === "text-end" ? "complete" : "void");
    }
    if (event.type === "run-end" && event.answerId !== undefined) expect(states.get(event.answerId)).toBe("complete");
  }
}

function nextText(events: readonly RunEvent[]): string | undefined {
  const next = events.find((event) => event.type === "text-delta");
  return next === undefined ? undefined : textOf(events, next.messageId);
}

function textOf(events: readonly RunEvent[], messageId: string): string {
  return events.map((event) => (event.type === "text-delta" && event.messageId === messageId ? event.text : "")).join("");
}

function expectKnownParents(events: readonly RunEvent[]): void {
  const begun = new Set<string>();
  for (const event of events) {
    const isText = event.type === "text-delta" || event.type === "text-end" || event.type === "text-reset";
    if ("parentToolId" in event && !isText) expect([...begun], `the parent of ${event.type}`).toContain(event.parentToolId);
    if (event.type === "tool-start") begun.add(event.id);
  }
}
