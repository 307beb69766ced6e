import { expect, onTestFinished, test } from "vitest";
import { startCox } from "../support/cox/start-cox.ts";
import { openRealCli } from "./open-real-cli.ts";

test("cox ask gets a warm claude from a running cox serve, and a cold one without it", { timeout: 300_000 }, async () => {
  const { env } = await openRealCli("claude");
  const server = startCox(["serve", "--port", "0"], { env });
  onTestFinished(async () => {
    server.child.kill("SIGTERM");
    await server.ended;
  });
  await server.until((stdout) => stdout.includes("http://"));
  const isWarm = async (...args: readonly string[]): Promise<boolean> => {
    const asked = startCox(["ask", "--stream-json", "--verbose", "-p", "claude", ...args, "Say hello."], { env });
    const { exitCode, stdout, stderr } = await asked.ended;
    expect({ exitCode, stderr: stderr.includes("asked the running cox serve") }).toEqual({
      exitCode: 0,
      stderr: args.length === 0,
    });
    return stdout.includes('"warm":true');
  };
  expect(await isWarm("--no-serve")).toBe(false);
  expect(await isWarm()).toBe(false);
  // A process waits after the second question.
  await expect.poll(() => isWarm(), { timeout: 120_000 }).toBe(true);
  expect(await isWarm("--no-serve")).toBe(false);
});
