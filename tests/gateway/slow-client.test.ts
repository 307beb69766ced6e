import { existsSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { programProvider } from "../support/clis/program-provider.ts";
import { temporaryFolder } from "../support/cox/start-cox.ts";
import { rawRequest, serve } from "../support/serve-gateway.ts";
import { heldBytes } from "./measure-heap.ts";

const PIECES = 60_000;
const TOTAL_BYTES = PIECES * 1024;

test("a client that reads slowly holds up neither the CLI nor the memory, and gets everything", async () => {
  using folder = temporaryFolder();
  const note = join(folder.path, "note");
  const served = await serve({
    providers: [programProvider("torrent")],
    env: { PIECES: String(PIECES), NOTE_FILE: note },
  });
  const before = await heldBytes();
  const body = JSON.stringify({ model: "bad", stream: true, messages: [{ role: "user", content: "hi" }] });
  const socket = connect(served.port, "127.0.0.1");
  socket.pause();
  socket.write(rawRequest("POST /v1/chat/completions", {}, body));
  while (!existsSync(note)) await sleep(50);
  expect((await heldBytes()) - before, "the answer does not wait in memory").toBeLessThan(TOTAL_BYTES / 2);
  // The program has ended, and its answer is unread.
  let count = 0;
  let tail = "";
  for await (const chunk of socket.setEncoding("latin1")) {
    const text = tail + chunk;
    count += text.match(/\d+ x{100}/g)?.length ?? 0;
    tail = /\d+ ?x{0,99}$/.exec(text)?.[0] ?? "";
  }
  expect(count).toBe(PIECES);
  expect(served.entries).toMatchObject([{ status: 200 }]);
});
