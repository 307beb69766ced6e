import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import OpenAI, { type APIError } from "openai";
import { expect, it } from "vitest";
import { type Fleet, openFleet } from "../support/clis/open-fleet.ts";
import { answersWhenTold } from "../support/clis/plays.ts";
import { openServer, rawRequest, type Served, TOKEN } from "../support/serve-gateway.ts";

const HELLO = { model: "a", messages: [{ role: "user" as const, content: "Hello" }] };

async function openBusy(): Promise<{
  fleet: Fleet;
  served: Pick<Served, "close" | "port">;
  openai: OpenAI;
  running: Promise<string>;
}> {
  const fleet = openFleet({ a: [answersWhenTold("go")] }, { policies: { limit: { total: 1 } } });
  const served = await openServer({ client: fleet.client });
  const openai = new OpenAI({ baseURL: `${served.url}/v1`, apiKey: TOKEN, maxRetries: 0 });
  const running = openai.chat.completions.create(HELLO).then(({ choices }) => choices[0]?.message.content ?? "");
  await expect.poll(() => fleet.starts("a")).toBe(1);
  return { fleet, served, openai, running };
}

it("a draining gateway tells waiting requests at once to come back, starts no other run, and finishes the answer in progress", async () => {
  const { fleet, served, openai, running } = await openBusy();
  const waiting = [true, false].map((stream) =>
    openai.chat.completions.create({ ...HELLO, stream }).catch((error: APIError) => error),
  );
  await sleep(300);
  const closed = served.close(600_000);
  for (const error of (await Promise.all(waiting)) as APIError[]) {
    expect(error).toMatchObject({ status: 503, message: expect.stringContaining("The gateway is closing.") });
    expect(error.headers?.get("retry-after")).toBe("5");
    expect(error.headers?.get("x-should-retry")).toBe("true");
  }
  fleet.tell("a", "go");
  expect(await running).toBe("Told.");
  await closed;
  expect(fleet.starts("a")).toBe(1);
});

it("a request whose body arrives while the gateway drains starts no run, and new connections are refused", async () => {
  const { fleet, served, running } = await openBusy();
  const request = rawRequest("POST /v1/chat/completions", {}, JSON.stringify(HELLO)).toString("latin1");
  const socket = connect(served.port, "127.0.0.1");
  socket.write(request.slice(0, -10));
  await sleep(300);
  const closed = served.close(600_000);
  socket.write(request.slice(-10));
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  expect(text).toMatch(/^HTTP\/1\.1 503 /);
  expect(text).toMatch(/\nretry-after: 5\r/i);
  expect(text).toMatch(/\nx-should-retry: true\r/i);
  const refused = new Promise<string | undefined>((resolve) => {
    connect(served.port, "127.0.0.1").once("error", ({ code }: NodeJS.ErrnoException) => resolve(code));
  });
  expect(await refused).toBe("ECONNREFUSED");
  fleet.tell("a", "go");
  expect(await running).toBe("Told.");
  await closed;
  expect(fleet.starts("a")).toBe(1);
});
