import { describe, expect, it } from "vitest";
import { capabilitiesOf } from "../../../src/spec/provider/cli-data.ts";
import type { Provider } from "../../../src/spec/provider/provider.ts";
import { modelRequestsOf } from "../../support/real-clis/model-request.ts";
import type { MatrixRow } from "../../support/real-clis/rows/matrix-row.ts";
import { openRealCli } from "../open-real-cli.ts";

const NAME = "My name is Ottokar.";
const QUESTION = "What is my name?";
const UNKNOWN = "5e9c0f6a-1b7d-4c55-9a51-3f0c2d8e7b10";

/** An id that a session of this CLI could have, of which it knows none. */
export function unknownSessionOf({ sessionIds }: Provider): string {
  return sessionIds === undefined ? UNKNOWN : "ses_e1e6603dbffeACZQPG1s8vXeow";
}

/** Sessions are resumed if the CLI has them, and refused before a process is started if it has none. */
export function describeSessions({ name, providerAt }: MatrixRow): void {
  const provider = providerAt("");

  describe(`the sessions of real ${name}`, () => {
    if (!capabilitiesOf(provider).sessions) {
      it(`${name} has no sessions: a session is refused before a process is started`, async () => {
        const cli = await openRealCli(name);
        const run = await cli.run({ prompt: QUESTION, session: { resume: UNKNOWN } });
        expect(run.failure).toMatchObject({ category: "validation", code: "option-unsupported" });
        expect(run.events).toHaveLength(2);
      });
      return;
    }

    it(`a stored session of ${name} is resumed under its id, and the model gets the first turn again`, async () => {
      const cli = await openRealCli(name, { kind: "text", text: "Good evening, Ottokar." });
      const first = await cli.run({ prompt: NAME, session: { keep: true } });
      const id = first.result.sessionId ?? "none";
      const second = await cli.run({ prompt: QUESTION, session: { resume: id } });
      expect(second.failure).toBeUndefined();
      expect(second.result.sessionId).toBe(id);
      const [opening = "", resumed = ""] = modelRequestsOf(cli).map(({ user }) => user.join("\n"));
      expect(opening).not.toContain(QUESTION);
      expect(resumed).toContain(NAME);
      expect(resumed.slice(resumed.indexOf(NAME))).toContain(QUESTION);
      expect(cli.api.modelRequests[1]?.rawBody).toContain("Good evening, Ottokar.");
    });

    it(`an unknown session of ${name} is reported as such, and no model request is sent`, async () => {
      const cli = await openRealCli(name);
      const run = await cli.run({ prompt: QUESTION, session: { resume: unknownSessionOf(provider) } });
      expect(run.failure).toMatchObject({ category: "not_found", code: "session-unknown", shouldRetry: false });
      expect(cli.api.modelRequests).toEqual([]);
    });
  });
}
