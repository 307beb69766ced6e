// Gets one answer, does not close the client, and reports when it exits.
import { existsSync, readFileSync } from "node:fs";
import { createClient } from "../../../src/index.ts";
import { programProvider } from "../../support/clis/program-provider.ts";
import { report } from "./report.ts";

/** What this host reports; `leavesProgram` is true if it exits while the program that wrote its pid to PID_FILE is running. */
export type AnswerReport = { readonly runId: string; readonly text: string; readonly leavesProgram: boolean };

const client = createClient({ providers: [programProvider(process.env["PROGRAM"] ?? "")] });
const result = await client.run("bad", { prompt: "Say something." }, { keepEvents: true }).result();
const first = result.events?.[0];
if (first?.type !== "run-start") throw new Error("the run did not begin with run-start");
const { runId } = first;
process.once("exit", () => report({ runId, text: result.text, leavesProgram: leavesProgram() } satisfies AnswerReport));

function leavesProgram(): boolean {
  const pidFile = process.env["PID_FILE"] ?? "";
  return existsSync(pidFile) && existsSync(`/proc/${readFileSync(pidFile, "utf8")}`);
}
