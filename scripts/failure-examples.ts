import { fileURLToPath } from "node:url";
import { builtinProviders } from "../src/clis/index.ts";
import { classifyFault } from "../src/failures/classify.ts";
import { replayRecording } from "../src/replay/replay.ts";
import { collect } from "../src/run/collect.ts";
import type { FailureCode } from "../src/spec/failure/failure-codes.ts";
import type { Provider } from "../src/spec/provider/provider.ts";
import type { Fault } from "../src/spec/wire/wire.ts";
import { readRecordedCase } from "../src/testing/recorded-case.ts";

/** An error text of a CLI and its failure code. */
export type FailureExample = { readonly provider: Provider; readonly code: FailureCode; readonly words: string };

/** Recorded failures by provider: the expected code and the recording in fixtures/<provider>. */
const RECORDED: Readonly<Record<string, Partial<Record<FailureCode, string>>>> = {
  claude: {
    "quota-exhausted": "error-quota",
    "rate-limited": "error-429-retry-after",
    "not-logged-in": "not-logged-in",
    "access-denied": "error-403",
    "bad-request": "error-400",
    "context-overflow": "error-context-length",
    "session-busy": "session-id-in-use",
    "session-unknown": "resume-unknown",
    "model-unknown": "error-bad-model",
    "connection-failed": "error-connection-refused",
    "connection-lost": "error-stream-cut",
    "server-error": "error-500",
    overloaded: "error-529-overloaded",
    "upstream-timeout": "error-timeout",
    "unknown-option": "bad-flag",
    "cli-misconfigured": "bypass-as-root-refused",
    "output-truncated": "stop-max-tokens",
    "upstream-garbled": "error-invalid-json",
  },
  codex: {
    "quota-exhausted": "error-quota",
    "rate-limited": "error-429-stream",
    "not-logged-in": "error-401",
    "access-denied": "error-403",
    "prompt-too-large": "input-too-large",
    "context-overflow": "error-context-length",
    "session-busy": "resume-active-writer",
    "session-unknown": "resume-unknown-id",
    "model-unknown": "error-bad-model",
    refused: "error-content-filter",
    "connection-failed": "error-connection-refused-0",
    "connection-lost": "error-stream-cut",
    "server-error": "error-500",
    overloaded: "error-529-overloaded",
    "upstream-timeout": "error-idle-timeout",
    "cli-misconfigured": "not-git",
  },
  gemini: {
    "quota-exhausted": "error-quota",
    "rate-limited": "error-429-retry-after",
    "not-logged-in": "error-401",
    "access-denied": "error-403",
    "context-overflow": "error-context-length",
    "session-unknown": "resume-unknown-id",
    "connection-failed": "error-connection-refused",
    "connection-lost": "error-stream-cut",
    "server-error": "error-500",
    "cli-misconfigured": "untrusted-folder",
  },
  qwen: {
    "quota-exhausted": "error-quota-no-retries",
    "rate-limited": "error-429-no-retries",
    "not-logged-in": "error-401",
    "model-unknown": "error-bad-model",
    "session-unknown": "resume-unknown-id",
    "connection-failed": "error-connection-refused",
    "connection-lost": "partial-error-stream-cut",
    "server-error": "error-500",
  },
  opencode: {
    "rate-limited": "error-429-retry-after",
    "not-logged-in": "error-401",
    "model-unknown": "error-bad-model",
    "session-unknown": "resume-unknown",
    "connection-failed": "error-connection-refused",
  },
  copilot: {
    "rate-limited": "error-429-retry-after",
    "not-logged-in": "not-logged-in",
    "access-denied": "error-403",
    "context-overflow": "error-context-length",
    "connection-failed": "error-connection-refused",
    "server-error": "error-500",
    overloaded: "error-529-overloaded",
  },
  grok: {
    "quota-exhausted": "messages-error-quota",
    "rate-limited": "messages-error-429",
    "not-logged-in": "messages-not-logged-in",
    "access-denied": "messages-error-403",
    "context-overflow": "messages-error-context",
    "session-unknown": "messages-resume-not-found-title",
    "model-unknown": "messages-unknown-model",
    "connection-failed": "messages-error-connection-refused",
    "connection-lost": "messages-stream-cut",
    "server-error": "messages-error-500",
    overloaded: "messages-error-503",
  },
  glm: { "quota-exhausted": "error-quota" },
  "ax-glm": {
    "quota-exhausted": "error-quota",
    "rate-limited": "error-429-retry-after",
    "not-logged-in": "error-401",
    "access-denied": "error-403",
    "context-overflow": "error-context-length",
    "connection-lost": "error-stream-cut",
    overloaded: "error-529-overloaded",
  },
};

/** Error texts of the checked versions that are in no recording here; irrelevant parts are replaced by (…). */
const MEASURED: readonly (readonly [provider: string, code: FailureCode, fault: Fault])[] = [
  ["claude", "prompt-too-large", { message: "Request too large (max 32MB). Try with a smaller file.", status: 413 }],
  [
    "codex",
    "quota-exhausted",
    { message: "You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), … or try again at 7:04 PM." },
  ],
  ["gemini", "model-unknown", { message: "[API Error: models/gemini-nope is not found for API version v1beta, …]" }],
  ["gemini", "overloaded", { message: "[API Error: The model is overloaded. Please try again later.]" }],
];

/** Every example with its text; throws if the product classifies one with another code. */
export function readFailureExamples(): readonly FailureExample[] {
  const recorded = Object.entries(RECORDED).flatMap(([id, cases]) =>
    Object.entries(cases).map(([code, name]) => {
      const provider = providerOf(id);
      const { recording } = readRecordedCase(fileURLToPath(new URL(`../fixtures/${id}/${name}`, import.meta.url)));
      const [failure] = replayRecording(provider, recording).flatMap((events) => collect(events).failure ?? []);
      return checked(provider, code as FailureCode, failure, `fixtures/${id}/${name}`);
    }),
  );
  const measured = MEASURED.map(([id, code, fault]) => {
    const provider = providerOf(id);
    return checked(provider, code, classifyFault(provider, fault, { stderrTail: "" }), JSON.stringify(fault.message));
  });
  const order = builtinProviders.map(({ id }) => id);
  return [...recorded, ...measured].toSorted((one, other) => order.indexOf(one.provider.id) - order.indexOf(other.provider.id));
}

function checked(
  provider: Provider,
  code: FailureCode,
  failure: { readonly code: FailureCode; readonly message: string } | undefined,
  source: string,
): FailureExample {
  if (failure?.code === code) return { provider, code, words: failure.message };
  throw new Error(`${source} should be ${code} of ${provider.id}, but it is ${failure?.code ?? "no failure"}`);
}

function providerOf(id: string): Provider {
  const provider = builtinProviders.find((candidate) => candidate.id === id);
  if (provider === undefined) throw new Error(`there is no provider "${id}"`);
  return provider;
}
