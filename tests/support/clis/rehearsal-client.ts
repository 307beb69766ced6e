import { onTestFinished } from "vitest";
import { type Client, createClient } from "../../../src/index.ts";
import { openTestScope } from "../test-scope.ts";

/** The format of a session id. */
export const UUID: RegExp = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A client with the built-in providers; its state and processes are removed after the test. */
export function createClientInScope(): Client {
  const client = createClient({ policies: false, env: openTestScope().env });
  onTestFinished(() => client.close());
  return client;
}
