import type { FailureCode } from "../../src/spec/failure/failure-codes.ts";
import { happens, pick, type Random, wholeBetween } from "../support/random.ts";
import {
  errorMessage,
  INIT,
  line,
  message,
  reasoning,
  result,
  type Spending,
  shownObject,
  spending,
  tool,
} from "./claude-lines.ts";
import { quotaWords, waitWords, wordsFor } from "./failure-words.ts";
import type { Behaviour } from "./model/model-call.ts";
import type { ProgramStep } from "./program-step.ts";

/** The facts that the steps of a process depend on besides its behaviour. */
export type ProcessSurroundings = {
  /** Its answer. */
  readonly text: string;
  readonly reportsCost: boolean;
  readonly wantsObject: boolean;
  /** It is stopped as soon as it has reported its usage, so it waits for that. */
  readonly isStopped: boolean;
  /** The maximum duration of its work. */
  readonly dawdleMs: number;
};

const FOREVER_MS = 60_000;

/** The steps of a process with this behaviour, with random oddities that have no meaning. */
export function stepsOf(behaviour: Behaviour, random: Random, surroundings: ProcessSurroundings): readonly ProgramStep[] {
  const { end } = behaviour;
  const spent = spentBy(behaviour, surroundings);
  const isEarly = behaviour.reportedEarly === true;
  if (end === "first-event-timeout") return [...mayBeStubborn(random), { waitMs: FOREVER_MS }];
  return [
    ...mayBeStubborn(random),
    INIT,
    ...oddities(random, behaviour),
    ...dawdle(random, surroundings),
    ...outputSteps(behaviour, random),
    ...(isEarly && spent !== undefined ? [spending(spent)] : []),
    ...(isEarly && surroundings.isStopped ? [{ waitMs: FOREVER_MS }] : []),
    ...dawdle(random, surroundings),
    ...(end === "answer"
      ? answer(random, surroundings, isEarly ? undefined : spent)
      : failure(behaviour, end, { random, spent: isEarly ? undefined : spent })),
  ];
}

function spentBy({ tokens, usd }: Behaviour, { reportsCost }: ProcessSurroundings): Spending | undefined {
  if (tokens === undefined) return undefined;
  return { tokens, ...(reportsCost && usd !== undefined && { usd }) };
}

function mayBeStubborn(random: Random): readonly ProgramStep[] {
  return happens(random, 0.05) ? [{ stubborn: true }] : [];
}

function dawdle(random: Random, { dawdleMs }: ProcessSurroundings): readonly ProgramStep[] {
  return dawdleMs === 0 ? [] : [{ waitMs: wholeBetween(random, 0, dawdleMs) }];
}

/** Lines of unknown type, meaningless stderr lines, and large amounts of both. */
function oddities(random: Random, { end }: Behaviour): readonly ProgramStep[] {
  const steps: ProgramStep[] = [];
  if (happens(random, 0.1)) steps.push({ out: "warming up {[\u001b[31m\n" }, { out: '{"type":"unheard-of","depth":[[[]]]}\n' });
  if (happens(random, 0.05)) steps.push({ out: "\n\r\n[]\nnull\n17\n" });
  // Without a terminal event the words on stderr are the failure (decision 23).
  if (happens(random, 0.1) && end !== "no-terminal-event") steps.push({ err: "note: the cache is cold\n" });
  if (happens(random, 0.02))
    steps.push(line({ type: "unheard-of", filler: "x".repeat(50_000) }), { out: `${"y".repeat(2_000_000)}\n` });
  if (happens(random, 0.02)) steps.push({ leavesMs: FOREVER_MS });
  return steps;
}

function outputSteps({ end, output, messages = 1 }: Behaviour, random: Random): readonly ProgramStep[] {
  if (end === "answer" || output === "nothing") return [];
  if (output === "reasoning") return reasoning("m0");
  if (output === "object") return [shownObject({ whole: false })];
  if (output === "tool") return tool(happens(random, 0.5));
  return Array.from({ length: messages }, (_, index) => {
    const isOpen = index === messages - 1 && happens(random, 0.5);
    return message(`m${index}`, ["I think ", `that ${index}`], isOpen);
  }).flat();
}

function answer(random: Random, { text, wantsObject }: ProcessSurroundings, spent: Spending | undefined): readonly ProgramStep[] {
  const filler = message("m0", ["some ", "words"]);
  const huge = happens(random, 0.02)
    ? filler.map((step) => ("out" in step && step.out.includes("words") ? { ...step, times: 4000 } : step))
    : [];
  const object = wantsObject ? { structured_output: { whole: true } } : {};
  const end = result({ result: text, stop_reason: "end_turn", permission_denials: [], ...object }, spent);
  return [...huge, ...message("m1", [text.slice(0, 5), text.slice(5)]), end, ...leave(random)];
}

/** It exits at once, or stays until it is ended. */
function leave(random: Random): readonly ProgramStep[] {
  if (!happens(random, 0.04)) return [];
  return happens(random, 0.5) ? [{ waitMs: FOREVER_MS }] : [{ stubborn: true }, { waitMs: FOREVER_MS }];
}

function failure(
  behaviour: Behaviour,
  code: FailureCode,
  { random, spent }: { readonly random: Random; readonly spent: Spending | undefined },
): readonly ProgramStep[] {
  if (code === "quota-exhausted") {
    const words = quotaWords(behaviour, wholeBetween(random, 0, 5));
    return [result({ is_error: true, result: words }, spent), ...leave(random)];
  }
  const words = wordsFor(code);
  const told = spent === undefined ? [] : [spending(spent)];
  if ("isSilent" in words) return [...told, { waitMs: FOREVER_MS }];
  if ("stderr" in words) return [...told, { err: `${words.stderr}\n` }, { exit: 1 }];
  if ("dies" in words) return [...told, pick(random, words.dies)];
  // The last line of Claude Code has no counts of the turn that its budget ends.
  if (code === "budget-spent") return [...told, result({ is_error: true, ...words.fields }), ...leave(random)];
  const text = words.result + (behaviour.retryAfterMs === undefined ? "" : waitWords(behaviour.retryAfterMs));
  const named = words.kind === undefined ? [] : [errorMessage(words.kind, text)];
  return [...named, result({ is_error: true, ...(text !== "" && { result: text }), ...words.fields }, spent), ...leave(random)];
}
