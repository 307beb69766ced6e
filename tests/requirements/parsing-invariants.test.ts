import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { replayRecording } from "../../src/replay/replay.ts";
import { collect } from "../../src/run/collect.ts";
import { FAILURE_CODES, FAILURE_TRAITS, type FailureCode } from "../../src/spec/failure/failure-codes.ts";
import type { OutputFormat } from "../../src/spec/wire/wire.ts";
import { recordedCliCases } from "../support/recordings/recorded-clis.ts";
import { eventsOf } from "../support/runs/read-run.ts";
import { ownProvider, readEvents, readOutput, toStream } from "./own-cli.ts";

const FORMATS: readonly OutputFormat[] = ["text", "json", "stream-json"];

describe("INV-CLI-PARSE-001", () => {
  test.for(FORMATS)("R136 INV-CLI-PARSE-001 empty output in %s is an empty answer", (format) => {
    for (const stdout of ["", "\n", " \r\n\t"]) expect(readOutput(format, stdout)).toMatchObject({ text: "", finish: "stop" });
  });

  test.for([
    ["malformed JSON", '{"content": "Hel'],
    ["text", "Hello, I am text.\nIn two lines."],
    ["a JSON scalar", "42"],
  ])("R136 INV-CLI-PARSE-001 %s in place of JSON is taken as text, with a warning", ([, stdout = ""]) => {
    for (const format of ["json", "stream-json"] as const) {
      const result = readOutput(format, `${stdout}\n`);
      expect(result).toMatchObject({ text: stdout, finish: "stop", warnings: [{ code: "answer-not-json" }] });
    }
  });

  test.for([
    ["an empty object", "{}"],
    ["an empty list", "[]"],
    ["an object without content", '{"id":"x","usage":{}}'],
    ["a list without content", '[1,null,"x",{"type":"meta"}]'],
  ])("R136 INV-CLI-PARSE-001 %s is an empty answer", ([, stdout = ""]) => {
    expect(readOutput("json", stdout)).toMatchObject({ text: "", finish: "stop", warnings: [] });
  });

  test("R136 INV-CLI-PARSE-001 a stream of nothing but metadata is an empty answer", () => {
    const stdout = toStream({ type: "thread.started" }, { type: "turn.started" }, { type: "ping" }, { id: 7 });
    expect(readOutput("stream-json", stdout)).toMatchObject({ text: "", finish: "stop" });
  });

  test("R136 INV-CLI-PARSE-001 good lines count among bad ones, and the bad ones are kept as they are", () => {
    const lines = [
      "loading…",
      { type: "content", content: "Hel" },
      '{"type":"content","con',
      "\u0000\u0007",
      { type: "content", content: "lo" },
      "[1,2]",
    ];
    const events = readEvents("stream-json", toStream(...lines));
    expect(collect(events)).toMatchObject({ text: "Hello", finish: "stop" });
    expect(eventsOf(events, "native").map(({ text }) => text)).toEqual([
      "loading…",
      '{"type":"content","con',
      "\u0000\u0007",
      "[1,2]",
    ]);
  });

  test("R136 INV-CLI-PARSE-001 half an answer in a line that was cut by us is not taken for one", () => {
    const long = `{"content":"${"x".repeat(200_000)}`;
    expect(readOutput("json", long)).toMatchObject({ finish: "error", failure: { code: "no-terminal-event" } });
  });

  test.for(FORMATS)("R136 INV-CLI-PARSE-001 whatever bytes come in %s, nothing is thrown and the run ends once", (format) => {
    const provider = ownProvider({ outputFormat: format });
    const word = fc.constantFrom(
      "content",
      "text",
      "message",
      "choices",
      "error",
      "role",
      "assistant",
      "type",
      "item.completed",
      "result",
      "usage",
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.constant(null),
        fc.integer(),
        word,
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(word, tie("any"), { maxKeys: 4 }),
      ),
    })).any;
    const line = fc.oneof(
      value.map((each) => JSON.stringify(each)),
      fc.string(),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.constantFrom(0, 1, 139), fc.nat(400), (lines, exitCode, cut) => {
        const stdout = Buffer.from(lines.join("\n"));
        const [events = []] = replayRecording(
          provider,
          { format, stdout, exitCode },
          { splitAt: [Math.min(cut, stdout.length)] },
        );
        expect(eventsOf(events, "run-end")).toHaveLength(1);
        expect(events.at(-1)?.type).toBe("run-end");
        expect(replayRecording(provider, { format, stdout, exitCode })[0]).toEqual(events);
      }),
      { seed: 136, numRuns: 300 },
    );
  });
});

test("R137 INV-CLI-PARSE-002 for each provider with recordings the content is the documented one", () => {
  const judged = new Set<string>();
  for (const { cli, name, provider, recording, expected } of recordedCliCases) {
    const texts = replayRecording(provider, recording).map((events) => collect(events).text);
    const wanted = expected?.runs.map(
      ({ result }) => result["text"] ?? texts[expected.runs.findIndex((run) => run.result === result)],
    );
    expect({ cli, name, texts }).toEqual({ cli, name, texts: wanted });
    judged.add(cli);
  }
  expect(judged.size).toBeGreaterThanOrEqual(4);
});

describe("INV-CLI-PARSE-003", () => {
  test("INV-CLI-PARSE-003 an error that a rule names has the category and the guidance of its code", () => {
    for (const code of Object.keys(FAILURE_CODES) as FailureCode[]) {
      const entry = { errors: [{ text: "boom +ab", code }] };
      const { failure } = readOutput("text", "", { exitCode: 1, stderr: "Error: BOOM  ab occurred\n", entry });
      const { category, traits } = FAILURE_CODES[code] as (typeof FAILURE_CODES)[FailureCode];
      expect(failure).toMatchObject({ code, category, ...FAILURE_TRAITS[category], ...traits });
    }
  });

  test("INV-CLI-PARSE-003 a rule may go by the exit code, and the first that holds counts", () => {
    const entry = {
      errors: [
        { exitCode: 7, code: "quota-exhausted", hint: "Pay.", fixCommand: "own-cli pay" },
        { text: "limit", code: "rate-limited" },
      ],
    };
    const failureOf = (exitCode: number) => readOutput("text", "", { exitCode, stderr: "limit reached\n", entry }).failure;
    expect(failureOf(7)).toMatchObject({ code: "quota-exhausted", hint: "Pay.", fixCommand: "own-cli pay" });
    expect(failureOf(1)).toMatchObject({ code: "rate-limited" });
  });

  test("INV-CLI-PARSE-003 what nothing names is no known category", () => {
    const { failure } = readOutput("json", JSON.stringify({ error: "the moon is full" }));
    expect(failure).toMatchObject({ category: "unknown", code: "unclassified", shouldRetry: false, shouldFallback: true });
  });
});

test.for(FORMATS)("R139 INV-CLI-PARSE-004 terminal codes are gone before %s is parsed", (format) => {
  const answer = format === "text" ? "Hello" : '{"content":"Hello"}';
  for (const code of ["\u001b[32m", "\u001b[2K\u001b[1G", "\u001b]0;title\u0007", "\u009b1m"]) {
    expect(readOutput(format, `${code}${answer}${code}\n`)).toMatchObject({ text: "Hello", warnings: [] });
  }
});
