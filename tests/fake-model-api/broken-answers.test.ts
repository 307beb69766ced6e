import { afterEach, describe, expect, test } from "vitest";
import { type FakeModelApi, startFakeModelApi } from "../../src/testing/fake-model-api/start-fake-model-api.ts";
import { askFakeApi } from "./ask-fake-api.ts";
import { protocolCases } from "./protocol-cases.ts";

let api: FakeModelApi | undefined;
afterEach(() => api?.close());

describe.each(protocolCases)("with $protocol", ({ protocol, path, opening, readEvents, readText }) => {
  test.each([true, false])("garbage is sent unchanged, streamed or not (%s)", async (stream) => {
    api = await startFakeModelApi(protocol, { kind: "garbage", body: "<html>proxy</html>" });
    const html = await askFakeApi(api.url + path(stream), { stream });
    expect([html.response.status, html.response.headers.get("content-type"), html.text]).toEqual([
      200,
      "text/html; charset=utf-8",
      "<html>proxy</html>",
    ]);
    api.answerWith({ kind: "garbage", body: "", contentType: "text/event-stream" });
    const empty = await askFakeApi(api.url + path(stream), { stream });
    expect([empty.response.headers.get("content-type"), empty.text]).toEqual(["text/event-stream", ""]);
  });

  test("a garbled stream begins with valid events and then cannot be parsed", async () => {
    api = await startFakeModelApi(protocol, { kind: "garbled-stream" });
    const { response, text } = await askFakeApi(api.url + path(true), { stream: true });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const wellUntil = text.search(/(?:event: garbled\n)?data: \{broken/);
    expect(readEvents(text.slice(0, wellUntil))).toHaveLength(opening);
    expect(() => readEvents(text.slice(wellUntil))).toThrow(SyntaxError);
  });

  test("a garbled answer that is not streamed is invalid JSON", async () => {
    api = await startFakeModelApi(protocol, { kind: "garbled-stream" });
    const { response, text } = await askFakeApi(api.url + path(false), {});
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  test("a cut connection sends the text before the cut", async () => {
    api = await startFakeModelApi(protocol, { kind: "cut", afterText: "Begin" });
    const { received, failure } = await readUntilBroken(api.url + path(true), { stream: true });
    expect(readText(readEvents(received))).toBe("Begin");
    expect(failure).toBeInstanceOf(Error);
  });

  test("a cut answer that is not streamed stops inside its body", async () => {
    api = await startFakeModelApi(protocol, { kind: "cut", afterText: "Begin" });
    const { received, failure } = await readUntilBroken(api.url + path(false), {});
    expect(received).toContain("Begin");
    expect(() => JSON.parse(received)).toThrow(SyntaxError);
    expect(failure).toBeInstanceOf(Error);
  });

  test.each([true, false])("a cut without text comes before any response, streamed or not (%s)", async (stream) => {
    api = await startFakeModelApi(protocol, { kind: "cut" });
    await expect(askFakeApi(api.url + path(stream), { stream })).rejects.toThrow();
    expect(api.modelRequests).toHaveLength(1);
  });
});

async function readUntilBroken(address: string, body: object): Promise<{ received: string; failure: unknown }> {
  const response = await fetch(address, { method: "POST", body: JSON.stringify(body) });
  let received = "";
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) received += chunk;
    return { received, failure: undefined };
  } catch (failure) {
    return { received, failure };
  }
}
