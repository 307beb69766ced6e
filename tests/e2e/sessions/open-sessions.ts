import { onTestFinished } from "vitest";
import { rehearsal } from "../../../src/clis/rehearsal/provider.ts";
import { builtinProviders, type Client, createClient, type PolicyOptions } from "../../../src/index.ts";
import type { Provider } from "../../../src/provider.ts";
import { openTestScope, type TestScope } from "../../support/test-scope.ts";

/** A second CLI with sessions of its own. */
const second: Provider = { ...rehearsal, id: "second", label: "Second" };

/** A CLI without sessions. */
const forgetful: Provider = {
  ...rehearsal,
  id: "forgetful",
  label: "Forgetful",
  options: rehearsal.options.filter((option) => !option.startsWith("session-")),
};

/** A scope whose clients share their stored sessions. */
export type OpenedSessions = TestScope & { open(policies?: PolicyOptions | false): Client };

/** Opens a scope for the sessions of one test; its clients are closed after the test. */
export function openSessions(): OpenedSessions {
  const scope = openTestScope();
  const open = (policies: PolicyOptions | false = false): Client => {
    const client = createClient({ env: scope.env, policies, providers: [...builtinProviders, second, forgetful] });
    onTestFinished(() => client.close());
    return client;
  };
  return { ...scope, open };
}
