import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { anthropicMessages } from "../../src/testing/fake-model-api/anthropic.ts";
import type { ProtocolEvent } from "../../src/testing/fake-model-api/fake-protocol.ts";
import { sendAnswer } from "../../src/testing/fake-model-api/send-answer.ts";

const eventCount = 512;
const piece = "x".repeat(64 * 1024);

test("a client that does not read stops the generation of the answer, and gets all of it when it reads", async () => {
  let made = 0;
  function* events(): Iterable<ProtocolEvent> {
    for (; made < eventCount; made += 1) yield { type: "piece", piece };
  }
  const request = { method: "POST", path: "/", query: "", headers: {}, body: { stream: true }, rawBody: "" };
  const server = createServer(async (_, response) => {
    const protocolResponse = { ...anthropicMessages.respond(request, (prefix) => prefix), events };
    const signal = new AbortController().signal;
    await sendAnswer({ kind: "empty" }, { protocol: anthropicMessages, request, made: protocolResponse, response, signal });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").pause();
  try {
    socket.write("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    for (let before = -1; before !== made || made === 0; ) {
      before = made;
      await delay(300);
    }
    expect(made).toBeLessThan(eventCount);
    let received = 0;
    socket.on("data", (bytes: Buffer) => (received += bytes.length)).resume();
    await once(socket, "end");
    expect(made).toBe(eventCount);
    expect(received).toBeGreaterThan(eventCount * piece.length);
  } finally {
    socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});
