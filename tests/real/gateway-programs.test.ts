import { execFile } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { openGateway } from "../gateway/anthropic-gateway.ts";
import { callBlock } from "../support/clis/call-blocks.ts";
import { openCli } from "../support/clis/open-cli.ts";
import { answers } from "../support/clis/plays.ts";
import { REAL_CLIS } from "../support/real-clis/real-cli.ts";
import { openTestScope } from "../support/test-scope.ts";
import type { ProgramRow } from "./gateway-programs/program-row.ts";
import { PROGRAM_ROWS } from "./gateway-programs/rows.ts";

const OWN_NODE = join(import.meta.dirname, "../../node_modules/.bin");

/** Runs a program to its end with the gateway as its model API. */
async function runProgram(row: ProgramRow, url: string, home: string, workspace: string): Promise<string> {
  const bin = join(REAL_CLIS, row.folder, "node_modules/.bin");
  const env = {
    PATH: [bin, OWN_NODE, "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter),
    HOME: home,
    LANG: "C.UTF-8",
    ...row.prepare({ url, home, workspace }),
  };
  const args = row.args("Write one into written.txt, then read it.");
  const running = promisify(execFile)(join(bin, row.command), [...args], { env, cwd: workspace });
  running.child.stdin?.end();
  return (await running).stdout;
}

it.each(PROGRAM_ROWS)("$name works for three steps on a CLI behind the gateway", async (row) => {
  const { directory } = openTestScope();
  const [home, workspace] = [join(directory, "home"), join(directory, "workspace")];
  for (const folder of [home, workspace]) mkdirSync(folder);
  const steps = row.steps(workspace);
  const cli = openCli([...steps.map((step) => answers(callBlock(step))), answers("I have read it.")]);
  const { url, requests } = await openGateway(cli.client);
  const shown = await runProgram(row, url, home, workspace);
  expect(shown).toContain("I have read it.");
  expect(readFileSync(join(workspace, "written.txt"), "utf8")).toBe("one\n");
  const asked = requests.filter(({ line }) => line.startsWith("POST"));
  expect(asked.map(({ line, status }) => `${line} ${status}`)).toEqual(Array(4).fill(`POST ${row.path} 200`));
  const calls = await cli.calls();
  expect(calls[2]?.prompt).toContain("one");
  expect(calls[3]?.prompt).toContain("missing.txt");
});
