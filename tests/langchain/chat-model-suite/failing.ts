import { RunnableLambda } from "@langchain/core/runnables";
import { describe, expect, it } from "vitest";
import { RunError } from "../../../src/spec/failure/run-error.ts";
import { createExampleTools } from "./example-tools.ts";
import { QUESTION, quoted, quoting, type Subject } from "./subject.ts";

/** Failures, and LangChain's reaction to them. */
export function describeFailing(subject: Subject): void {
  const { name } = subject;
  describe(`failures of a chat model on ${name}`, () => {
    it(`a failure of ${name} rejects with its category, code and hint, with tools as without`, async () => {
      const { model } = await subject.open([{ kind: "failure" }]);
      const bound = model.bindTools([createExampleTools().weather]);
      const failed = await bound.invoke(QUESTION).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(Error);
      expect(RunError.is(failed) && failed.failure).toMatchObject({
        category: "quota",
        code: "quota-exhausted",
        hint: expect.stringMatching(/\S/),
      });
    });

    it(`a batch on ${name} keeps the answers beside a failure`, async () => {
      const { model } = await subject.open((told) => (told.includes("Fail") ? { kind: "failure" } : quoting(QUESTION)));
      const results = await model.batch([QUESTION, "Fail, please."], {}, { returnExceptions: true });
      expect(results.map((result) => RunError.is(result))).toEqual([false, true]);
    });

    it(`withRetry asks ${name} again, and the second answer counts`, async () => {
      const { model, told } = await subject.open([{ kind: "failure" }, quoting(QUESTION)]);
      const message = await model.withRetry({ stopAfterAttempt: 2 }).invoke(QUESTION);
      expect(message.text).toContain(quoted(QUESTION));
      expect(told()).toHaveLength(2);
    });

    it(`withFallbacks turns to the other runnable when ${name} fails, and not before`, async () => {
      const { model } = await subject.open([{ kind: "failure" }]);
      const working = await subject.open([quoting(QUESTION)]);
      expect((await model.withFallbacks([working.model]).invoke(QUESTION)).text).toContain(quoted(QUESTION));
      const unused = RunnableLambda.from((): never => {
        throw new Error("not to be asked");
      });
      expect((await working.model.withFallbacks([unused]).invoke(QUESTION)).text).toContain(quoted(QUESTION));
    });
  });
}
