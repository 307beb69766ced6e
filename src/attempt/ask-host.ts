import type { PartContext } from "../run/part.ts";
import type { JsonValue } from "../spec/json.ts";
import type { HostAnswer, HostQuestion, PermissionAnswer, PermissionQuestion, RunContext } from "../spec/stream.ts";

/** The answer to a question, and why the host's own answer to a permission request could not be used. */
type Answered<Answer = HostAnswer> = { readonly answer: Answer; readonly problem?: string };

/** Its promise never rejects. The signal aborts a call. */
type AskHost = (signal: AbortSignal) => Promise<Answered>;

/**
 * The function that answers a question; undefined for a call that the host does not run. A permission request is denied without `onPermission`: an
 * agent that no flag keeps from asking would wait for ever.
 */
export function findAnswerer(
  question: HostQuestion,
  { onPermission, answerCall }: Pick<PartContext, "onPermission" | "answerCall">,
): AskHost | undefined {
  if (!("kind" in question))
    return async () =>
      onPermission === undefined ? { answer: UNASKED } : await askPermission(markUntold(question), onPermission);
  return answerCall && (async (signal) => ({ answer: await answerCall(question.call, signal) }));
}

/**
 * Asks whether a tool may run and returns the answer as plain JSON; never rejects. A host that throws, or answers anything else than allow
 * or deny in JSON, has denied the call. A question without an id is denied and the host is not asked: nothing would tell which question it
 * answers.
 */
export async function askPermission(
  question: PermissionQuestion,
  onPermission: NonNullable<RunContext["onPermission"]>,
): Promise<Answered<PermissionAnswer>> {
  if (question.requestId === "") {
    return { answer: UNDECIDED, problem: `The CLI asked whether ${question.name} may run, but without an id, so it may not.` };
  }
  try {
    return { answer: readAnswer(await onPermission(question)) };
  } catch (error) {
    const why = error instanceof Error ? error.message : "it threw something that is no Error";
    return { answer: UNDECIDED, problem: `The host could not answer whether ${question.name} may run, so it may not: ${why}` };
  }
}

const UNASKED: PermissionAnswer = { behavior: "deny", message: "The run has no onPermission that could allow it." };
const UNDECIDED: PermissionAnswer = { behavior: "deny", message: "The host could not decide." };

/** The type of the callback is not checked at run time, so an answer may be anything. */
function readAnswer(given: Partial<PermissionAnswer & { readonly [key: string]: unknown }> | null | undefined): PermissionAnswer {
  if (given?.behavior === "deny") {
    return { behavior: "deny", message: typeof given.message === "string" ? given.message : "The host denied it." };
  }
  if (given?.behavior !== "allow") throw new TypeError('the answer has no behavior "allow" or "deny".');
  const { updatedInput } = given;
  return { behavior: "allow", ...(updatedInput !== undefined && { updatedInput: toJson(updatedInput) }) };
}

/** Throws if JSON cannot represent the value. */
function toJson(value: unknown): JsonValue {
  const text = JSON.stringify(value, (key, entry: unknown) => {
    const isNumber = typeof entry === "number" && !Number.isFinite(entry);
    if (!isNumber && !["bigint", "function", "symbol"].includes(typeof entry)) return entry;
    throw new TypeError(`updatedInput is not JSON: ${JSON.stringify(key)} is ${isNumber ? String(entry) : `a ${typeof entry}`}.`);
  });
  return JSON.parse(text);
}

type Asked = { readonly input: unknown; readonly isDescription?: true };

/** The input `null` means that the CLI did not tell it. This holds for the questions of every wire. */
export function markUntold<Question extends Asked>(question: Question): Question {
  return question.input === null ? { ...question, isDescription: true } : question;
}
