import Anthropic from "@anthropic-ai/sdk";
import { serve } from "@hono/node-server";
import { expect, onTestFinished } from "vitest";
import { createGateway } from "../../src/gateway/create-gateway.ts";
import type { Client } from "../../src/index.ts";
import { findStreamBreaches, type StreamState } from "./anthropic-stream-order.ts";

/** A request, as `POST /v1/messages`, and how it was answered. */
export type SeenRequest = { readonly line: string; readonly status: number; readonly isWarm: boolean };

const WITHOUT_TOKEN = { token: false } as const;

/** A gateway on loopback, and the official client for it. */
export type OpenGateway = {
  readonly url: string;
  /** Anthropic's own client; it does not retry. */
  readonly anthropic: Anthropic;
  /** `fetch` that records the streams; each must be well formed at the end of the test. */
  readonly fetch: typeof globalThis.fetch;
  /** The requests that were answered so far. */
  readonly requests: readonly SeenRequest[];
  /** How each stream ended, in the order of their requests. */
  streams(): Promise<readonly StreamState[]>;
};

/** Serves the CLIs of a client on a free port until the end of the test. */
export async function openGateway(
  client: Client,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<OpenGateway> {
  const gateway = createGateway({ client, env, ...WITHOUT_TOKEN });
  const requests: SeenRequest[] = [];
  const answer = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const response = await gateway.fetch(request);
    const isWarm = response.headers.get("x-coxswain-warm") === "true";
    requests.push({ line: `${request.method} ${pathname}${search}`, status: response.status, isWarm });
    return response;
  };
  const url = await new Promise<string>((resolve) => {
    const server = serve({ fetch: answer, port: 0, hostname: "127.0.0.1" }, ({ port }) => resolve(`http://127.0.0.1:${port}`));
    onTestFinished(async () => {
      "closeAllConnections" in server && server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    });
  });
  const recorded: Promise<string>[] = [];
  const recordingFetch: typeof globalThis.fetch = async (input, init) => {
    const response = await globalThis.fetch(input, init);
    if (response.body === null || !(response.headers.get("content-type") ?? "").startsWith("text/event-stream")) return response;
    const [ours, theirs] = response.body.tee();
    recorded.push(readAll(ours));
    return new Response(theirs, response);
  };
  const streams = async (): Promise<readonly StreamState[]> => {
    const read = (await Promise.all(recorded)).map(findStreamBreaches);
    expect(read.flatMap(({ breaches }) => breaches)).toEqual([]);
    return read.map(({ state }) => state);
  };
  onTestFinished(async () => {
    await streams();
  });
  const anthropic = new Anthropic({ baseURL: url, apiKey: "none", maxRetries: 0, fetch: recordingFetch });
  return { url, anthropic, fetch: recordingFetch, requests, streams };
}

/** The text of a stream; one that the client left ends where it was left. */
async function readAll(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  } catch {
    return text.slice(0, text.lastIndexOf("\n\n") + 2);
  }
  return text + decoder.decode();
}
