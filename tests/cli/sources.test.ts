import { describe, expect, test } from "vitest";
import { cox } from "../support/cox/start-cox.ts";
import { startScript } from "../support/cox/start-program.ts";
import { toLines, userLine } from "../support/cox/start-rehearsal.ts";

const env = { XDG_CONFIG_HOME: "/nonexistent", XDG_STATE_HOME: "/nonexistent" };

// The other tests start the built files; a checkout without a build must work as well.
describe("a checkout runs from its sources as it runs when it is built", () => {
  test.for([
    [["--version"]],
    [["--help"]],
    [["ask", "--help"]],
    [["ask", "--provider", "rehearsal", "hello"]],
    [["ask", "--provider", "no-such-cli", "hello"]],
  ])("cox %s", async ([words = []]) => {
    const [source, built] = await Promise.all([cox(words, { env, form: "source" }), cox(words, { env, form: "built" })]);
    expect(source).toStrictEqual(built);
    expect(source.stdout + source.stderr).not.toBe("");
  });

  test("the rehearsal CLI", async () => {
    const started = startScript("src/rehearsal/rehearsal-cli.ts", ["-p", "--no-session-persistence"], {
      stdin: "open",
      form: "source",
    });
    started.end(userLine("hello"));
    const { stdout, exitCode } = await started.ended;
    expect(exitCode).toBe(0);
    expect(toLines(stdout).at(-1)).toMatchObject({ type: "result", is_error: false });
  });
});
