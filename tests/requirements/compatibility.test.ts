import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import {
  ChatCli,
  type CompatibilityOptions,
  createClaudeCliProvider,
  createCliProvider,
  createCodexCliProvider,
  type Feature,
  RunError,
  toChatModel,
} from "../../src/adapters/langchain/index.ts";
import { checkCompatibility } from "../../src/compatibility/check-compatibility.ts";
import { cellsOf, FEATURES, type Subject, type Support } from "../../src/compatibility/matrix.ts";
import { builtinProviders } from "../../src/index.ts";

/** What the fifth design document and its corrections C33 and C34 ask of a CLI, and what is true of a model of LangChain. */
const EXPECTED: readonly (readonly [number: string, feature: Feature, cli: Support, langchain: Support])[] = [
  ["R191", "streaming", "automatic", "automatic"],
  ["R194", "contextOffloading", "automatic", "refused"],
  ["R195", "contextSummarization", "refused", "refused"],
  ["R196", "contextEditing", "refused", "refused"],
  ["R197", "toolSearch", "refused", "refused"],
  ["R198", "codeExecution", "refused", "refused"],
  ["R199", "structuredOutput", "supported", "supported"],
  ["R200", "smartRouting", "ignored", "ignored"],
  ["R200", "parallelTools", "ignored", "automatic"],
];

/** These print one JSON document or text at the end of the run. */
const NOT_STREAMING = ["grok-vibe", "ax-glm", "ax-grok"];

type Make = (provider: string, options: CompatibilityOptions) => unknown;

/** Every constructor that takes the options; some are for one provider. */
const CONSTRUCTORS: readonly (readonly [name: string, make: Make, only?: string])[] = [
  ["ChatCli", (provider, options) => new ChatCli({ provider, ...options })],
  ["createCliProvider", createCliProvider],
  ["createClaudeCliProvider", (_provider, options) => createClaudeCliProvider(options), "claude"],
  ["createCodexCliProvider", (_provider, options) => createCodexCliProvider(options), "codex"],
  ["toChatModel of an adapter", (provider, options) => toChatModel(createCliProvider(provider, options))],
];

/** How a constructor answers: with a model, or with an error. */
function answerOf(make: () => unknown): unknown {
  try {
    make();
    return "made";
  } catch (error) {
    return RunError.is(error) ? error.failure : error;
  }
}

function supportOf(cli: Support, feature: Feature, id: string): Support {
  return feature === "streaming" && NOT_STREAMING.includes(id) ? "ignored" : cli;
}

describe.for(CONSTRUCTORS)("%s", ([, make, only]) => {
  const providers = builtinProviders.filter(({ id }) => only === undefined || id === only);

  test.each(EXPECTED)("%s R201 asked for %s it answers as the matrix says, on every CLI", (_number, feature, cli) => {
    for (const { id, label } of providers) {
      const features = { [feature]: true };
      const refusal = { code: "option-unsupported", category: "validation", message: expect.stringContaining(label) };
      const expected = supportOf(cli, feature, id) === "refused" ? expect.objectContaining(refusal) : "made";
      expect(
        answerOf(() => make(id, { features })),
        id,
      ).toEqual(expected);
      expect(
        answerOf(() => make(id, { features, compatibility: "lenient" })),
        id,
      ).toBe("made");
      expect(
        answerOf(() => make(id, { features: { [feature]: false } })),
        id,
      ).toBe("made");
    }
  });

  test.each<[what: string, options: object]>([
    ["an unknown feature", { features: { mindReading: true } }],
    ["a feature that is no boolean", { features: { toolSearch: "yes" } }],
    ["features that are no object", { features: ["toolSearch"] }],
    ["another policy", { compatibility: "silent" }],
  ])("R201 %s is a TypeError at once", (_what, options) => {
    expect(answerOf(() => make(only ?? "claude", options))).toBeInstanceOf(TypeError);
  });
});

describe("a feature that stays off", () => {
  const subjects: readonly (readonly [string, Subject])[] = [
    ...builtinProviders.map((provider) => [provider.id, provider] as const),
    ["langchain", "langchain"],
  ];

  test.each(EXPECTED)("%s %s is never silent: each cell is an error, a warning, or the feature itself", (...row) => {
    const [, feature, cli, langchain] = row;
    for (const [id, subject] of subjects) {
      const support = id === "langchain" ? langchain : supportOf(cli, feature, id);
      expect(cellsOf(subject)[feature].support, id).toBe(support);
      const isOn = support === "supported" || (support === "automatic" && feature !== "contextOffloading");
      const { warnings } = checkCompatibility({ features: { [feature]: true }, compatibility: "lenient" }, () => subject);
      expect(warnings, id).toEqual(isOn ? [] : [{ code: "feature-off", message: expect.stringMatching(/ has no effect: \S/) }]);
    }
  });

  test("R199 structured output is native where the CLI takes a schema, and by text elsewhere", () => {
    const reasons = new Map(subjects.map(([id, subject]) => [id, cellsOf(subject).structuredOutput.reason]));
    for (const id of ["claude", "codex", "qwen", "glm"]) expect(reasons.get(id), id).toMatch(/takes a schema$/);
    for (const id of ["gemini", "opencode", "copilot"]) expect(reasons.get(id), id).toBe("the schema goes into the prompt");
  });

  test("R195 R196 R197 R198 one error names all features that are refused, and how to go on", () => {
    const features = { contextSummarization: true, contextEditing: true, toolSearch: true, codeExecution: true };
    const failure = answerOf(() => new ChatCli({ provider: "claude-code", features }));
    expect(failure).toMatchObject({
      message: expect.stringMatching(/summarization.*editing.*tool search.*code execution/),
      hint: expect.stringContaining('compatibility: "lenient"'),
    });
  });

  test.for<[name: string, ask: (options: CompatibilityOptions) => Promise<{ response_metadata: Record<string, unknown> }>]>([
    ["ChatCli", (options) => new ChatCli({ provider: "rehearsal", ...options }).invoke("Hello")],
    ["createCliProvider", (options) => createCliProvider("rehearsal", options).invoke([new HumanMessage("Hello")])],
    ["toChatModel", (options) => toChatModel(createCliProvider("rehearsal", options)).invoke("Hello")],
  ])("R194 R200 R201 every answer of %s names it once in its warnings", async ([, ask]) => {
    const features = Object.fromEntries(FEATURES.map((feature) => [feature, true]));
    const { response_metadata: metadata } = await ask({ features, compatibility: "lenient" });
    const warnings = metadata["warnings"] as readonly { readonly code: string; readonly message: string }[];
    expect(warnings.map(({ code }) => code)).toEqual(Array.from({ length: 7 }, () => "feature-off"));
    expect(new Set(warnings.map(({ message }) => message.split(" has no effect")[0]))).toEqual(
      new Set([
        ...["Context offloading", "Context summarization", "Context editing"],
        ...["Tool search", "Code execution", "Smart routing", "Parallel tools"],
      ]),
    );
  });
});
