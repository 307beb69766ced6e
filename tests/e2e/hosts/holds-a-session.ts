// Sends one message in the session SESSION_NAME, begins a slow second one, reports when its text arrives, and waits to be killed.
import { createClient } from "../../../src/index.ts";
import { report } from "./report.ts";

/** What this host reports. */
export type HeldSessionReport = { readonly id: string; readonly cliId: string };

const client = createClient({ policies: false });
const session = client.session({ target: "rehearsal", name: process.env["SESSION_NAME"] ?? "held" });
const { sessionId = "" } = await session.send("one");
session.handOver("rehearsal/slow");
for await (const event of session.stream("two"))
  if (event.type === "text-delta") report({ id: session.id, cliId: sessionId } satisfies HeldSessionReport);
