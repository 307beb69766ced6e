import { describe, expect, it, onTestFinished } from "vitest";
import { createClient } from "../../../src/index.ts";
import { FAILURE_CODES, FAILURE_TRAITS } from "../../../src/spec/failure/failure-codes.ts";
import type { FakeAnswer } from "../../../src/testing/index.ts";
import type { ErrorName, MatrixRow } from "../../support/real-clis/rows/matrix-row.ts";
import { eventsOf, openRealCli } from "../open-real-cli.ts";
import { ERROR_CODES, errorAnswer, HALF } from "./upstream-errors.ts";

/** The errors of every run: one of the login, one that a later request may not have, and one in the middle of an answer. */
const EVERY_TIME: readonly ErrorName[] = ["wrong key", "rate limit", "cut stream"];

/** The errors that describeErrors leaves to `npm run test:real -- --all`. */
export const OTHER_ERRORS: readonly ErrorName[] = (Object.keys(ERROR_CODES) as readonly ErrorName[]).filter(
  (error) => !EVERY_TIME.includes(error),
);

/** Errors of the model API and of the login have the same codes for all CLIs and are never an answer. expect-unreachable.ts has the rest. */
export function describeErrors(row: MatrixRow, names: readonly ErrorName[] = EVERY_TIME): void {
  const { name, key, login = [key], retriedErrors } = row;
  const provider = row.providerAt("");
  const withoutLogin = Object.fromEntries(login.map((variable) => [variable, undefined]));
  const errors = names.filter((error) => !(row.omitted?.errors ?? []).includes(error));
  const failing = errors.filter((error) => !(error in retriedErrors));
  const retried = errors.filter((error) => error in retriedErrors);
  const listed = retried.map((error) => `a ${error}`).join(" and ") || "no error";
  const answerFor = (error: ErrorName): FakeAnswer => row.errorAnswers?.[error] ?? errorAnswer(row.protocol, error);

  describe(`the errors of real ${name}`, () => {
    if (failing.length > 0)
      it.each(failing)(`${name} fails after a %s with its code, and the earlier text is no answer`, async (error) => {
        const cli = await openRealCli(name, answerFor(error));
        const { failure, end, result } = await cli.run({ prompt: "Hello" });
        expect(failure).toMatchObject({ code: ERROR_CODES[error] });
        if (failure !== undefined)
          expect(failure).toMatchObject({ ...FAILURE_TRAITS[failure.category], ...FAILURE_CODES[failure.code].traits });
        expect([end.finish, result.text]).toEqual(["error", ""]);
        // Text that arrives together with a cut is lost in some runs; a model that is asked to continue starts over here.
        const said = failure?.partialText ?? "";
        const answers = row.continues === undefined ? [said] : said.split(/(?=H)/);
        expect(answers.every((answer) => (error === "cut stream" ? HALF : "").startsWith(answer))).toBe(true);
      });

    if (row.continues !== undefined && names.includes("cut stream"))
      it(`${name} retries after ${listed}, asks the model to continue after a cut stream, and the answer is both pieces`, async () => {
        const errors = [...retried, "cut stream"] as const;
        const cli = await openRealCli(name, [...errors.map(answerFor), { kind: "text", text: " is whole now." }]);
        const run = await cli.run({ prompt: "Hello" });
        expect(run.failure).toBeUndefined();
        expect(run.result).toMatchObject({ text: `${HALF} is whole now.`, finish: "stop" });
        expect(eventsOf(run, "text-reset")).toEqual([]);
        const continued = cli.api.modelRequests.map(({ rawBody }) => rawBody.includes(HALF));
        expect(continued).toEqual([...errors.map(() => false), true]);
      });
    else if (retried.length > 0)
      it(`${name} retries after ${listed}, and the answer is only the last one`, async () => {
        const cli = await openRealCli(name, [...retried.map(answerFor), { kind: "text", text: "A whole answer." }]);
        const run = await cli.run({ prompt: "Hello" });
        expect(run.failure).toBeUndefined();
        expect(run.result).toMatchObject({ text: "A whole answer.", finish: "stop" });
        expect(cli.api.modelRequests).toHaveLength(retried.length + 1);
        const voids = eventsOf(run, "text-reset").map((event) => event.messageId);
        const holding = eventsOf(run, "text-delta").filter(({ messageId }) => !voids.includes(messageId));
        expect(holding.map((event) => event.text).join("")).toBe("A whole answer.");
      });

    if (names.includes("wrong key"))
      it(`${name} without a login is reported with the way to log in, and no model request is sent`, async () => {
        const cli = await openRealCli(name);
        const client = createClient({ policies: false, env: { ...cli.env, ...withoutLogin }, providers: [cli.provider] });
        onTestFinished(() => client.close());
        const { failure } = await cli.run({ prompt: "Hello" }, { client });
        expect(failure).toMatchObject({ category: "authentication", code: "not-logged-in" });
        expect(failure?.fixCommand).toBe(provider.login);
        expect(cli.api.modelRequests).toEqual([]);
      });
  });
}
