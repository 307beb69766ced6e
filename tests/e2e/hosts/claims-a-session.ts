// Claims one session again and again and counts each claim in a file that only the holder may change. With ENDING=killed it dies while it holds
// the last claim.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claimSession } from "../../../src/sessions/session-claim.ts";
import { report } from "./report.ts";

/** What this host reports. */
export type ClaimsReport = { readonly claims: number };

const CLAIMS = 20;
const pause = new Int32Array(new SharedArrayBuffer(4));
const directory = process.env["CLAIMS"] ?? "";
const counter = join(directory, "count");
for (let claims = 1; claims <= CLAIMS; ) {
  const claim = claimSession(directory, "0b9f7c52-2f1e-4d3c-8f11-000000000001");
  if ("pid" in claim) {
    Atomics.wait(pause, 0, 0, 2);
    continue;
  }
  writeFileSync(counter, String(Number(readFileSync(counter, "utf8")) + 1));
  if (claims === CLAIMS) report({ claims } satisfies ClaimsReport);
  if (claims === CLAIMS && process.env["ENDING"] === "killed") process.kill(process.pid, "SIGKILL");
  claim.release();
  claims += 1;
}
