import { getEventListeners } from "node:events";
import { APICallError, InvalidArgumentError, NoSuchModelError, UnsupportedFunctionalityError } from "@ai-sdk/provider";
import { embed, generateText, RetryError, streamText } from "ai";
import { describe, expect, it } from "vitest";
import { coxswain, createCoxswain, RunError } from "../../src/adapters/ai-sdk/index.ts";
import { openFleet } from "../support/clis/open-fleet.ts";
import { answers, answersWhenTold, FOREVER, fails, hangs, says } from "../support/clis/plays.ts";
import { openPlayed, readAll } from "./open-models.ts";

const PROMPT = [{ role: "user" as const, content: [{ type: "text" as const, text: "Go." }] }];

describe("a call of the AI SDK that fails", () => {
  it("rejects with an APICallError before the first part, also of a stream, with the failure as its cause", async () => {
    const secret = "sk-this-is-a-secret";
    const { model } = openPlayed([fails("not-logged-in")]);
    for (const method of ["doGenerate", "doStream"] as const) {
      const asked = { prompt: PROMPT, providerOptions: { coxswain: { env: { KEY: secret } } } };
      const error: unknown = await Promise.resolve(model[method](asked)).catch((thrown: unknown) => thrown);
      expect(APICallError.isInstance(error) && error).toMatchObject({
        statusCode: 401,
        isRetryable: false,
        message: "This is not-logged-in.",
        url: "coxswain:one",
        requestBodyValues: { model: "one" },
        data: { category: "authentication", code: "not-logged-in" },
      });
      expect(RunError.from(error)?.failure.code).toBe("not-logged-in");
      expect(JSON.stringify(error)).not.toContain(secret);
    }
  });

  it.each([
    ["server-error", 502, undefined],
    ["overloaded", 503, "5000"],
    ["rate-limited", 429, "5000"],
    ["quota-exhausted", 429, "5000"],
    ["context-overflow", 400, undefined],
    ["model-unknown", 404, undefined],
  ] as const)("%s has the status %i and says how long to wait", async (code, statusCode, wait) => {
    const { model } = openPlayed([fails(code)], { policies: false });
    const error: unknown = await Promise.resolve(model.doStream({ prompt: PROMPT })).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ statusCode, isRetryable: false });
    expect((error as APICallError).responseHeaders?.["retry-after-ms"]).toBe(wait);
  });

  it("a lasting failure starts the CLI as often as Coxswain retries: the AI SDK adds none", async () => {
    const streamed = openPlayed([fails("server-error")]);
    await expect(generateText({ model: streamed.model, prompt: "Go." })).rejects.toMatchObject({ name: "AI_APICallError" });
    expect(streamed.fleet.starts("one")).toBe(3);
    const whole = openPlayed([fails("server-error")]);
    await readAll(streamText({ model: whole.model, prompt: "Go.", onError: () => {} }).fullStream);
    expect(whole.fleet.starts("one")).toBe(3);
  });

  it("a full queue is left to the retries of the AI SDK, which waits as it is told", async () => {
    const policies = { limit: { perProvider: 1, queue: 0 } };
    const { model, fleet } = openPlayed([answersWhenTold("go", "First."), answers("Second.")], { policies });
    const first = generateText({ model, prompt: "Go." });
    await expect.poll(() => fleet.starts("one")).toBe(1);
    const refused: unknown = await Promise.resolve(model.doGenerate({ prompt: PROMPT })).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ statusCode: 429, isRetryable: true, responseHeaders: { "retry-after": "1" } });
    await expect(generateText({ model, prompt: "Go.", maxRetries: 0 })).rejects.toMatchObject({ data: { code: "queue-full" } });
    const second = generateText({ model, prompt: "Go." });
    fleet.tell("one", "go");
    expect((await first).text).toBe("First.");
    expect((await second).text).toBe("Second.");
    expect(fleet.starts("one")).toBe(2);
  });

  it("a service that rests is retried by the AI SDK without a start of the CLI", async () => {
    const policies = { cooldown: { failures: 1, restMs: 200, longestRestMs: 200 }, retry: false } as const;
    const { model, fleet } = openPlayed([fails("server-error"), answers("Back.")], { policies });
    await expect(generateText({ model, prompt: "Go." })).rejects.toMatchObject({ isRetryable: false });
    expect((await generateText({ model, prompt: "Go." })).text).toBe("Back.");
    expect(fleet.starts("one")).toBe(2);
    const lasting = openPlayed([fails("server-error")], {
      policies: { cooldown: { failures: 1, restMs: 50_000 }, retry: false },
    });
    await expect(generateText({ model: lasting.model, prompt: "Go.", maxRetries: 0 })).rejects.toBeDefined();
    const resting = generateText({ model: lasting.model, prompt: "Go.", maxRetries: 0 });
    await expect(resting).rejects.toMatchObject({ isRetryable: true, statusCode: 503 });
    await resting.catch((error) => expect(RetryError.isInstance(error)).toBe(false));
    expect(lasting.fleet.starts("one")).toBe(1);
  });

  it("is a part of a stream that has begun", async () => {
    const { model } = openPlayed([fails("server-error", {}, [says("Half an answer.")])]);
    const { stream } = await model.doStream({ prompt: PROMPT });
    const parts = await readAll(stream);
    expect(parts.map(({ type }) => type)).toEqual([
      ...["stream-start", "response-metadata", "text-start", "text-delta", "text-end", "error", "finish"],
    ]);
    expect(parts[5]).toMatchObject({ error: { statusCode: 502, isRetryable: false } });
    expect(parts[6]).toMatchObject({ finishReason: { unified: "error", raw: "server-error" } });
  });
});

describe("a call of the AI SDK that is aborted", () => {
  it("rejects with the reason of the signal, and no process and no listener is left", async () => {
    const { model, fleet } = openPlayed([hangs]);
    const reason = new Error("The user left.");
    for (const method of ["doGenerate", "doStream"] as const) {
      const controller = new AbortController();
      const call = Promise.resolve(model[method]({ prompt: PROMPT, abortSignal: controller.signal }));
      await expect.poll(() => fleet.starts("one")).toBe(method === "doGenerate" ? 1 : 2);
      controller.abort(reason);
      await expect(call).rejects.toBe(reason);
      expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    }
    await fleet.untilQuiet();
    const aborted = generateText({ model, prompt: "Go.", abortSignal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ name: "AbortError" });
    expect(fleet.starts("one")).toBe(2);
  });

  it("ends a stream with the reason, and streamText reports an abort", async () => {
    const { model, fleet } = openPlayed([answers("never", { before: [says("One "), FOREVER] })]);
    const controller = new AbortController();
    const { stream } = await model.doStream({ prompt: PROMPT, abortSignal: controller.signal });
    const reading = readAll(stream);
    controller.abort();
    await expect(reading).rejects.toBe(controller.signal.reason);
    const [second, types] = [new AbortController(), [] as string[]];
    for await (const { type } of streamText({ model, prompt: "Go.", abortSignal: second.signal }).fullStream) {
      types.push(type);
      if (type === "text-delta") second.abort();
    }
    expect(types.at(-1)).toBe("abort");
    expect(types).not.toContain("error");
    await fleet.untilQuiet();
  });

  it("leaving a stream ends the CLI, and a closed client is an AbortError", async () => {
    const { model, fleet } = openPlayed([answers("never", { before: [says("One "), FOREVER] })]);
    const { stream } = await model.doStream({ prompt: PROMPT });
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
    await fleet.untilQuiet();
    await fleet.client.close();
    await expect(model.doGenerate({ prompt: PROMPT })).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("a call of the AI SDK that cannot be made", () => {
  it("an unknown model is a NoSuchModelError that names the nearest one", () => {
    const { client } = openFleet({ one: [answers("Fine.")] });
    const cox = createCoxswain({ client });
    expect(() => cox("onne")).toThrow(NoSuchModelError);
    expect(() => cox.languageModel("onne")).toThrow("Did you mean one?");
    expect(() => coxswain("no-such-cli/model")).toThrow(NoSuchModelError);
    expect(() => cox.embeddingModel("one")).toThrow(NoSuchModelError);
    expect(() => cox.imageModel("one")).toThrow(NoSuchModelError);
    expect(() => embed({ model: cox.embeddingModel("one"), value: "text" })).toThrow(NoSuchModelError);
  });

  it("an unknown setting is an error that names it", async () => {
    const { model, fleet } = openPlayed([answers("Fine.")]);
    const call = generateText({ model, prompt: "Go.", providerOptions: { coxswain: { permision: { mode: "plan" } } } });
    await expect(call).rejects.toThrow('providerOptions.coxswain has no setting "permision". Did you mean permissions?');
    await call.catch((error) => expect(InvalidArgumentError.isInstance(error)).toBe(true));
    const nested = generateText({ model, prompt: "Go.", providerOptions: { coxswain: { timeouts: { total: 5 } } } });
    await expect(nested).rejects.toThrow('request.timeouts has no field "total"');
    expect(() => createCoxswain({ defaults: { sistem: "x" } as object })).toThrow('defaults has no setting "sistem"');
    expect(fleet.starts("one")).toBe(0);
  });

  it("files that are no images, and URLs, are refused", async () => {
    const { model, fleet } = openPlayed([answers("Fine.")]);
    const file = (data: { type: "data"; data: string } | { type: "url"; url: URL }, mediaType: string) =>
      model.doGenerate({ prompt: [{ role: "user", content: [{ type: "file", mediaType, data }] }] });
    const pdf = Promise.resolve(file({ type: "data", data: "AAAA" }, "application/pdf"));
    await expect(pdf).rejects.toThrow("files of type application/pdf");
    await pdf.catch((error) => expect(UnsupportedFunctionalityError.isInstance(error)).toBe(true));
    await expect(file({ type: "url", url: new URL("https://example.com/a.png") }, "image/png")).rejects.toThrow("URLs of images");
    expect(fleet.starts("one")).toBe(0);
  });
});
