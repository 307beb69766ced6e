import { describe, expect, test } from "vitest";
import { cox, coxWith } from "../support/cox/start-cox.ts";
import { openTestScope } from "../support/test-scope.ts";
import { installClaude } from "./claude-on-path.ts";

/** The recipes of the fourth document as a person types them; tests/real/sessions.test.ts repeats them with Claude Code. */
describe("the manual recipes", () => {
  test("R172 a prompt on stdin is answered", async () => {
    const { env } = openTestScope();
    const { stdout, exitCode } = await coxWith("What is 2+2?", ["ask", "-p", "rehearsal", "--json"], { env });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ text: expect.stringContaining("You asked: “What is 2+2?”"), finish: "stop" });
  });

  test("R172 a system prompt replaces the CLI's own, and goes with every turn of a session", async () => {
    const { client } = installClaude();
    const session = client.session({ target: { provider: "claude", transport: "spawn" }, system: "You are a porter." });
    for (const message of ["one", "two"]) {
      const seen = JSON.parse((await session.send(message)).text);
      expect(seen.files["--system-prompt-file"]).toMatchObject({ content: expect.stringMatching(/^You are a porter\./) });
    }
  });

  test("R172 a session is resumed by the id that was captured from the first result", async () => {
    const { env, directory } = openTestScope();
    const options = { env, cwd: directory };
    const first = await cox(["ask", "-p", "rehearsal", "--session", "recipe", "--json", "Remember 42."], options);
    const { sessionId } = JSON.parse(first.stdout);
    const second = await cox(["ask", "--resume", sessionId, "--json", "Which number?"], options);
    expect(JSON.parse(second.stdout)).toMatchObject({
      sessionId,
      text: expect.stringContaining("the one before was: Remember 42."),
    });
  });

  test("R172 tools are restricted: an allowed one runs, a denied one does not", async () => {
    const { env, directory } = openTestScope();
    const words = ["ask", "-p", "rehearsal/tool", "--agent", "--permission-mode", "dont-ask", "--json", "What time is it?"];
    const options = { env, cwd: directory };
    const allowed = JSON.parse((await cox([...words, "--allow-tool", "Clock"], options)).stdout);
    expect(allowed).toMatchObject({ toolCalls: [{ name: "Clock", isError: false }], permissionDenials: [] });
    const denied = JSON.parse((await cox(words, options)).stdout);
    expect(denied).toMatchObject({ toolCalls: [{ name: "Clock", isError: true }], permissionDenials: [{ name: "Clock" }] });
  });
});
