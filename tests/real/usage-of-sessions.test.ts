import { describe, expect, it } from "vitest";
import { createClient } from "../../src/index.ts";
import { describeSessionCosts, SPENT } from "./matrix/describe-session-costs.ts";
import { openRealCli } from "./open-real-cli.ts";

describe("claude", describeSessionCosts);

describe.each(["codex", "qwen"] as const)("%s", (name) => {
  it("a resumed run has its own tokens, and those of the session if another program began it", async () => {
    const cli = await openRealCli(name, { kind: "text", text: "Yes.", usage: SPENT });
    const first = await cli.run({ prompt: "One?", session: { keep: true } });
    const session = { resume: first.result.sessionId ?? "" };
    const second = await cli.run({ prompt: "Two?", session });
    expect([first, second].map(({ result }) => result.usage)).toMatchObject(Array(2).fill({ totalTokens: 1_100, scope: "turn" }));
    await using other = createClient({ env: cli.env, providers: [cli.provider], policies: false, warm: false });
    const foreign = await cli.run({ prompt: "Three?", session }, { client: other });
    expect(foreign.result.usage).toMatchObject({ totalTokens: 3_300, scope: "thread" });
    const known = await cli.run({ prompt: "Four?", session }, { client: other });
    expect(known.result.usage).toMatchObject({ totalTokens: 1_100, scope: "turn" });
  });
});
