import { delimiter } from "node:path";
import { onTestFinished } from "vitest";
import { type Client, createClient, type PolicyOptions } from "../../src/index.ts";
import type { OpenRealCli } from "./open-real-cli.ts";

const QUICK: PolicyOptions = { retry: { firstDelayMs: 10 } };

/** A client with policies for real CLIs, with the environment of all of them. */
export function withPolicies(clis: readonly OpenRealCli[], policies: PolicyOptions = QUICK): Client {
  const env = Object.assign({}, ...clis.map((cli) => cli.env));
  const PATH = clis.map((cli) => cli.env["PATH"]).join(delimiter);
  const client = createClient({ env: { ...env, PATH }, providers: clis.map((cli) => cli.provider), policies, warm: false });
  onTestFinished(() => client.close());
  return client;
}
