import { type JsonObject, listOf, objectOf, stringOf } from "../../src/spec/json.ts";
import type { FakeApiProtocol } from "../../src/testing/fake-model-api/start-fake-model-api.ts";
import { readDataEvents, readServerSentEvents } from "./ask-fake-api.ts";

/** How a test sends a request in a protocol and parses its stream. */
export type ProtocolCase = {
  readonly protocol: FakeApiProtocol;
  readonly path: (stream: boolean) => string;
  /** The number of events before the first delta. */
  readonly opening: number;
  /** The data of the events; throws when one of them cannot be parsed. */
  readonly readEvents: (stream: string) => readonly JsonObject[];
  /** The text of the deltas. */
  readonly readText: (events: readonly JsonObject[]) => string;
};

/** All protocols of the fake API. */
export const protocolCases: readonly ProtocolCase[] = [
  {
    protocol: "anthropic-messages",
    path: () => "/v1/messages",
    opening: 1,
    readEvents: readServerSentEvents,
    readText: (events) => join(events, (event) => objectOf(event["delta"])?.["text"]),
  },
  {
    protocol: "openai-responses",
    path: () => "/v1/responses",
    opening: 2,
    readEvents: readServerSentEvents,
    readText: (events) => join(events, (event) => event["delta"]),
  },
  {
    protocol: "openai-chat",
    path: () => "/v1/chat/completions",
    opening: 1,
    readEvents: readDataEvents,
    readText: (events) => join(events, (event) => objectOf(firstOf(event["choices"])["delta"])?.["content"]),
  },
  {
    protocol: "gemini",
    path: (stream) => `/v1beta/models/model-1:${stream ? "streamGenerateContent" : "generateContent"}`,
    opening: 0,
    readEvents: readDataEvents,
    readText: (events) => join(events, (event) => firstOf(objectOf(firstOf(event["candidates"])["content"])?.["parts"])["text"]),
  },
];

function join(events: readonly JsonObject[], read: (event: JsonObject) => JsonObject[string] | undefined): string {
  return events.map((event) => stringOf(read(event)) ?? "").join("");
}

function firstOf(list: JsonObject[string] | undefined): JsonObject {
  return objectOf(listOf(list)[0]) ?? {};
}
